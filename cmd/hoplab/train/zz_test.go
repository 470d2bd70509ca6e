package train
import ("testing";"os";"hopstream/stages/engine/builtin/plan";"hopstream/stages/engine/builtin/weights")
func TestZZ(t *testing.T){
 lessons, held, err := Routes("/work/shared/data", "../written/paraphrases"); if err!=nil{t.Fatal(err)}
 w := *weights.Shipped()
 w.Classes = FitRouter(plan.New(w.Nests), lessons)
 r := MeasureRouter(&w, held); r.print(os.Stdout)
}
