package rules

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Rule is a function of the engine, or a word list.
type Rule struct {
	Name  string `json:"name"` // package.Function, package.Type.Method or package.list
	Place string `json:"place"`
	Lines int    `json:"lines"`
	List  bool   `json:"list,omitempty"`
}

// switchPackage is the name of the package that has the switches, which only the
// program with switches has.
const switchPackage = "hoplabswitch"

// source is a file that is given switches.
type source struct {
	fset  *token.FileSet
	text  []byte
	file  *ast.File
	edits []edit
}

type edit struct {
	at, to int // the bytes that text replaces
	text   string
}

// instrument returns the files of a package's folder with a switch at the start of
// each function and at each use of a list, and appends what they switch to rules.
// Files are keyed by their paths.
func instrument(dir, module string, rules []Rule) (map[string][]byte, []Rule, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	var files []*source
	fset := token.NewFileSet()
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		path := filepath.Join(dir, e.Name())
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		// Names that the file does not declare itself are left unresolved: lists of
		// other files of the package are among them.
		f, err := parser.ParseFile(fset, path, text, 0)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, &source{fset: fset, text: text, file: f})
	}
	lists := map[string]int{}
	for _, f := range files {
		for _, v := range f.lists() {
			lists[v.Name] = len(rules)
			rules = append(rules, f.rule(v.Name, v, true))
		}
	}
	out := map[string][]byte{}
	for _, f := range files {
		f.useLists(lists)
		rules = f.functions(rules)
		if len(f.edits) == 0 {
			continue
		}
		f.edits = append(f.edits, edit{at: f.offset(f.file.Name.End()), to: f.offset(f.file.Name.End()), text: fmt.Sprintf("; import %s %q", switchPackage, module+"/"+switchPackage)})
		out[f.fset.Position(f.file.Pos()).Filename] = f.edited()
	}
	return out, rules, nil
}

func (f *source) offset(p token.Pos) int { return f.fset.Position(p).Offset }

// rule describes a node of the file.
func (f *source) rule(name string, n ast.Node, list bool) Rule {
	from, to := f.fset.Position(n.Pos()), f.fset.Position(n.End())
	return Rule{Name: f.file.Name.Name + "." + name, Place: fmt.Sprintf("%s:%d", filepath.Base(from.Filename), from.Line), Lines: to.Line - from.Line + 1, List: list}
}

// lists returns the variables of the package that are declared with a value.
func (f *source) lists() (out []*ast.Ident) {
	for _, d := range f.file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			if v := s.(*ast.ValueSpec); len(v.Names) == 1 && len(v.Values) == 1 {
				out = append(out, v.Names[0])
			}
		}
	}
	return out
}

// useLists puts a switch at each use of a list in a function.
func (f *source) useLists(lists map[string]int) {
	unresolved := map[*ast.Ident]bool{}
	for _, id := range f.file.Unresolved {
		unresolved[id] = true
	}
	for _, d := range f.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		var parents []ast.Node
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if n == nil {
				parents = parents[:len(parents)-1]
				return false
			}
			if id, ok := n.(*ast.Ident); ok && f.global(id, unresolved) && isValue(id, parents) {
				if at, known := lists[id.Name]; known {
					f.edits = append(f.edits, edit{f.offset(id.Pos()), f.offset(id.End()), fmt.Sprintf("%s.List(%d, %s)", switchPackage, at, id.Name)})
				}
			}
			parents = append(parents, n)
			return true
		})
	}
}

// global reports whether a name means a variable of the package.
func (f *source) global(id *ast.Ident, unresolved map[*ast.Ident]bool) bool {
	return unresolved[id] || id.Obj != nil && id.Obj.Kind == ast.Var && f.file.Scope.Lookup(id.Name) == id.Obj
}

// isValue reports whether a name is read there: neither a field nor a key, nor is its
// address taken.
func isValue(id *ast.Ident, parents []ast.Node) bool {
	for i := len(parents) - 1; i >= 0; i-- {
		switch p := parents[i].(type) {
		case *ast.SelectorExpr:
			return false
		case *ast.KeyValueExpr:
			if p.Key == id {
				return false
			}
		case *ast.UnaryExpr:
			if p.Op == token.AND {
				return false
			}
		case *ast.SliceExpr: // an array is sliced where it is
			return false
		case ast.Stmt:
			return true
		}
	}
	return true
}

// functions puts a switch at the start of each function and appends them to rules.
func (f *source) functions(rules []Rule) []Rule {
	for _, d := range f.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Name.Name == "init" || fn.Name.Name == "String" {
			continue
		}
		at := f.offset(fn.Body.Lbrace) + 1
		f.edits = append(f.edits, edit{at, at, fmt.Sprintf(" if %s.Off(%d) { %s };", switchPackage, len(rules), f.nothing(fn.Type.Results))})
		rules = append(rules, f.rule(nameOf(fn), fn, false))
	}
	return rules
}

// nothing is the statement that returns the zero values of results.
func (f *source) nothing(results *ast.FieldList) string {
	if results == nil || len(results.List) > 0 && len(results.List[0].Names) > 0 {
		return "return"
	}
	var zero []string
	for _, r := range results.List {
		zero = append(zero, "*new("+string(f.text[f.offset(r.Type.Pos()):f.offset(r.Type.End())])+")")
	}
	return "return " + strings.Join(zero, ", ")
}

func nameOf(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	t := fn.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if g, ok := t.(*ast.IndexExpr); ok {
		t = g.X
	}
	return t.(*ast.Ident).Name + "." + fn.Name.Name
}

// edited returns the file's text with its edits.
func (f *source) edited() []byte {
	slices.SortStableFunc(f.edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	var out []byte
	from := 0
	for _, e := range f.edits {
		out = append(append(out, f.text[from:e.at]...), e.text...)
		from = e.to
	}
	return append(out, f.text[from:]...)
}
