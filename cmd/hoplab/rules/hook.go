package rules

// engineSwitches are those of the engine. The program as shipped has none: this
// file is replaced where they are built in.
func engineSwitches() switches { return switches{} }
