// Package golden holds what the searchers find to a file: testdata/recall.md.
// It has tests only.
//
//	sets        public ones, of which the unseen half is asked sets_test.go
//	stores      a set's documents, in every kind of index      stores_test.go
//	searchers   those a program would configure, and fusions   searchers_test.go
//	figures     recall and times of each                       figures_test.go
//	TestRecall  compares them with the file, or writes it      recall_test.go, file_test.go
//
// A change of an index, a searcher or a role that finds other passages then
// shows as a difference of figures:
//
//	go test ./index/golden            asks two sets
//	go test ./index/golden -full      asks all six
//	go test ./index/golden -update    asks all six, and writes the file
package golden
