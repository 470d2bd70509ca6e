// Package records reads what has the same shape again and again: the rows of a
// table, the values of JSON.
//
//	csv.go     CSV: each row a passage of one document
//	rows.go    its rows, whatever parts their fields
//	json.go    JSON: each record a document
//	stream.go  a file of JSON, value by value, with the lines they stand in
//	value.go   Value: a value of JSON with its fields in order
//	record.go  Fields, Record: which fields of a value say what
//
// A file may be of any length, a single row or value not.
package records
