package draft

// PassedOver is the error of a file that says nothing, though nothing is wrong
// with it.
type PassedOver string

// Error is the reason.
func (p PassedOver) Error() string { return string(p) }

// Elsewhere is the error of a file all of whose text became documents of their
// own.
const Elsewhere = PassedOver("its records are documents")
