package office

import (
	"encoding/xml"
	"path"
	"strings"

	"hopstream/index/document/draft"
)

// PPTX reads a presentation: a page per slide.
func PPTX(w *draft.Writer, from draft.File) error {
	a, err := open(from, "ppt/presentation.xml", "PPTX")
	if err != nil {
		return err
	}
	if err := a.properties("docProps/core.xml", w); err != nil {
		return err
	}
	var order slideOrder
	if err := a.read("ppt/presentation.xml", &order, nil); err != nil {
		return err
	}
	targets, err := a.targets("ppt/presentation.xml")
	if err != nil {
		return err
	}
	for i, id := range order {
		part := targets[id]
		if part == "" {
			continue
		}
		w.Page(i + 1)
		if err := a.slide(w, part); err != nil {
			return err
		}
	}
	return nil
}

// slide writes a slide and its notes.
func (a *archive) slide(w *draft.Writer, part string) error {
	s := slide{flow: flow{w: w}}
	if err := a.read(part, &s, w.Err); err != nil {
		return err
	}
	s.finish()
	targets, err := a.targets(part)
	if err != nil {
		return err
	}
	for _, t := range targets {
		if strings.Contains(t, "/notesSlides/") {
			n := slide{flow: flow{w: w}, notes: true}
			if err := a.read(t, &n, w.Err); err != nil {
				return err
			}
			n.finish()
			break
		}
	}
	return nil
}

// slideOrder is the relations of the slides, in order.
type slideOrder []string

func (o *slideOrder) start(name string, attrs []xml.Attr) {
	if name != "sldId" {
		return
	}
	for _, a := range attrs { // the slide's own ID has no prefix
		if a.Name.Local == "id" && a.Name.Space != "" {
			*o = append(*o, a.Value)
		}
	}
}
func (o *slideOrder) end(string)  {}
func (o *slideOrder) text([]byte) {}

// relations are the parts that a part refers to, by ID.
type relations struct {
	of      string
	targets map[string]string
}

func (r *relations) start(name string, attrs []xml.Attr) {
	if target := attr(attrs, "Target"); name == "Relationship" && attr(attrs, "TargetMode") != "External" {
		if !strings.HasPrefix(target, "/") {
			target = path.Join(path.Dir(r.of), target)
		}
		r.targets[attr(attrs, "Id")] = strings.TrimPrefix(target, "/")
	}
}
func (r *relations) end(string)  {}
func (r *relations) text([]byte) {}

// targets reads the relations of a part.
func (a *archive) targets(part string) (map[string]string, error) {
	r := relations{part, map[string]string{}}
	return r.targets, a.read(path.Join(path.Dir(part), "_rels", path.Base(part)+".rels"), &r, nil)
}
