package calculate

import (
	"strings"
	"testing"
)

func TestAnswer(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		// arithmetic
		{"what is 17 times 23", "391"},
		{"What is 17 * 23?", "391"},
		{"What's 2+2?", "4"},
		{"calculate (3 + 4) * -2", "-14"},
		{"How much is 15% of 240?", "36"},
		{"What is fifteen percent of two hundred and forty?", "36"},
		{"What is 2 to the power of 100?", "1267650600228229401496703205376"},
		{"2^3^2", "512"},
		{"What is the square root of 144?", "12"},
		{"what is the square root of 2", "1.4142135624"},
		{"What is the cube root of 27?", "3"},
		{"What is 7 divided by 8?", "0.875"},
		{"What is 1 divided by 3?", "0.3333333333"},
		{"What is 10 divided by 0?", ""},
		{"What is twelve squared?", "144"},
		{"What is 0.1 + 0.2?", "0.3"},
		{"What is 1,000,000 minus 1?", "999999"},
		{"What is 17 mod 5?", "2"},
		{"What is the sum of 3, 4 and 5?", "12"},
		{"What is the product of twenty-one and two?", "42"},
		{"What is 5 factorial?", "120"},
		{"What is 3 million plus five thousand?", "3005000"},
		{"what is half of 90?", "45"},
		{"What is 9 - 4 - 3?", "2"},
		{"What does 6 x 7 equal?", "42"},
		{"What is 1 - -1?", "2"},
		// bounded
		{"What is 9^9^9^9?", ""},
		{"What is 99999 to the power of 99999?", ""},
		{"What is 5000 factorial?", ""},
		{strings.Repeat("(", 100) + "1+1" + strings.Repeat(")", 100), ""},
		// no arithmetic
		{"What is 24/7?", ""},
		{"What happened on 9/11?", ""},
		{"World War II 1939-1945", ""},
		{"What is 1984?", ""},
		{"Who won the 2010 World Cup?", ""},
		{"What is seven?", ""},
		{"What is two and a half men?", ""},
		{"What is the third album of Adele plus the year?", ""},
		// units
		{"How many kilometres are in 5 miles?", "8.04672 kilometres"},
		{"convert 100 fahrenheit to celsius", "37.7777777778 °C"},
		{"What is 32 degrees Fahrenheit in Celsius?", "0 °C"},
		{"What is -40 °C in Fahrenheit?", "-40 °F"},
		{"How many seconds are there in a day?", "86400 seconds"},
		{"How many feet in a mile?", "5280 feet"},
		{"How many days are in a leap year?", "366 days"},
		{"how many bytes are in 2 kilobytes", "2000 bytes"},
		{"10 kg in pounds", "22.0462262185 pounds"},
		{"How many miles are in 5 kilograms?", ""},
		{"How many people live in a mile?", ""},
		{"How many days was Apollo 11 in space?", ""},
		{"How many feet are in the height of Everest?", ""},
		// calendar
		{"What day of the week was 4 July 1776?", "Thursday"},
		{"On which weekday did July 20, 1969 fall?", "Sunday"},
		{"What day of the week is 2024-02-29?", "Thursday"},
		{"What day of the week was 29 February 2023?", ""},
		{"How many days are there between 1 January 2024 and 1 March 2024?", "60 days"},
		{"Is 2024 a leap year?", "yes"},
		{"Was 1900 a leap year?", "no"},
		{"How many days are in February 2023?", "28 days"},
		{"How many days are in April?", "30 days"},
		{"How many days were in 2000?", "366 days"},
		{"What date is 30 days after 15 January 2024?", "14 February 2024"},
		{"What day is it today?", ""},
		{"What day was Einstein born?", ""},
		{"How many days until Christmas?", ""},
		{"What day of the week was 4 July 1066?", ""},
		// letters
		{"How many letters are in the word strawberry?", "10"},
		{"How many r's are in strawberry?", "3"},
		{"How many times does the letter s appear in the word Mississippi?", "4"},
		{"How many vowels are in 'education'?", "5"},
		{"How many words are in \"to be or not to be\"?", "6"},
		{"How many letters are in the alphabet?", ""},
		{"How many words are in the Bible?", ""},
		{"How many people are in Denmark?", ""},
		{"Spell stressed backwards", "desserts"},
		{"", ""},
		{"?", ""},
	} {
		if got := Answer(c.in); got != c.want {
			t.Errorf("%.60q: %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	for _, s := range []string{"what is 2^-3", "((1", "how many r's in x", "what is 5 to", "a hundred and", "1,2,3 + 4..5", "how many days in in", "32 f in c", "2024-13-45", "-", "what day 31 april 2024 the"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, q string) {
		if out := Answer(q); len(out) > 8<<10 {
			t.Errorf("%d bytes out", len(out))
		}
	})
}

func BenchmarkAnswer(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Answer("What is fifteen percent of two hundred and forty?")
	}
}
