package pdf

import (
	"io"
	"strings"

	"github.com/ledongthuc/pdf"
)

// maxStream is the most bytes of a stream that is not a page's own.
const maxStream = 8 << 20

// font is what must be known of a font to read text.
type font struct {
	cmap   *cmap
	bytes  [256]string // without cmap: the text of each code
	widths map[int]float64
	usual  float64 // width of codes without one, in thousandths of the size
	length int     // bytes of a code
}

func newFont(v pdf.Value) *font {
	f := &font{widths: map[int]float64{}, usual: 500, length: 1}
	if strings.Contains(v.Key("BaseFont").Name(), "Courier") {
		f.usual = 600
	}
	if t := v.Key("ToUnicode"); t.Kind() == pdf.Stream {
		b, _ := io.ReadAll(io.LimitReader(t.Reader(), maxStream))
		f.cmap = parseCmap(string(b))
	}
	if v.Key("Subtype").Name() == "Type0" {
		f.length = 2
		f.composite(v.Key("DescendantFonts").Index(0))
	} else {
		first := int(v.Key("FirstChar").Int64())
		widths := v.Key("Widths")
		for i := range min(widths.Len(), 1000) {
			f.widths[first+i] = widths.Index(i).Float64()
		}
		f.table(v)
	}
	if v.Key("Subtype").Name() == "Type3" {
		scale := v.Key("FontMatrix").Index(0).Float64() * 1000
		for c, w := range f.widths {
			f.widths[c] = w * scale
		}
	}
	return f
}

// table reads what single bytes stand for.
func (f *font) table(v pdf.Value) {
	bare := pdf.Font{V: v}
	encoder := bare.Encoder()
	if f.cmap != nil && v.Key("Encoding").Kind() == pdf.Null {
		encoder = nil // codes that the table leaves out mean nothing
	}
	for c := range f.bytes {
		if encoder != nil {
			f.bytes[c] = encoder.Decode(string([]byte{byte(c)}))
		}
	}
}

// composite reads the widths of a font with codes of two bytes.
func (f *font) composite(v pdf.Value) {
	f.usual = 1000
	if dw := v.Key("DW"); dw.Kind() != pdf.Null {
		f.usual = dw.Float64()
	}
	w := v.Key("W")
	for i := 0; i+1 < min(w.Len(), 50_000); {
		first, next := int(w.Index(i).Int64()), w.Index(i+1)
		if next.Kind() == pdf.Array {
			for j := range min(next.Len(), 70_000) {
				f.widths[first+j] = next.Index(j).Float64()
			}
			i += 2
			continue
		}
		width := w.Index(i + 2).Float64()
		for c := first; c <= min(int(next.Int64()), first+70_000); c++ {
			f.widths[c] = width
		}
		i += 3
	}
}

// text returns what a string of codes says, and its width in thousandths of the
// size; spaces and codes are counted for the spacing.
func (f *font) text(s string) (text string, width float64, codes, spaces int) {
	var b strings.Builder
	for len(s) > 0 {
		n := min(f.length, len(s))
		c := 0
		for i := range n {
			c = c<<8 | int(s[i])
		}
		w, ok := f.widths[c]
		if !ok {
			w = f.usual
		}
		width += w
		codes++
		if n == 1 && c == ' ' {
			spaces++
		}
		var t string
		known := false
		if f.cmap != nil {
			t, known = f.cmap.text[s[:n]]
		}
		if !known && n == 1 {
			t = f.bytes[c]
		}
		b.WriteString(t)
		s = s[n:]
	}
	return b.String(), width, codes, spaces
}
