// Package admission decides which question goes next into the pipeline, and how
// many are in it. It knows no broker: a router offers what it has read ahead of
// every lane, takes what is admitted, and says what has ended.
//
//	tenant.go  Tenant: what is set for one, and how it is stored
//	queue.go   Queue: offer, take, end
//	share.go   which tenant's turn it is
//	window.go  Window: how many questions may be unfinished
//
// Streams are queues in order of arrival. Whatever is sent into them waits behind
// all that was sent before, so a fair order at the entrance alone is worth nothing
// while the streams behind it are long. Two things follow.
//
// The window bounds the questions that are in the pipeline, so that who waits does
// so in front of it, in a lane. It is no smaller than what keeps every slot of a
// stage busy. Beyond that it grows by half as long as that gains throughput, and
// goes back where it does not: more questions in the pipeline would then only wait
// longer in it. This was preferred to following the time that questions take
// (Vegas, gradient): they differ a hundredfold by their class, and a new mix of
// them looks like a queue.
//
// Whose turn it is follows virtual start times: a tenant whose question is admitted
// moves on by one over its weight, and the tenant that is furthest behind goes
// next. One that has nothing to ask earns nothing by that: it comes back where the
// others are. So shares are exact also where there are more tenants than places in
// the window. Start times count questions, not the time that they take; where one
// tenant's take longer they would fill the window. So a tenant that has its share
// of the window open gives way while another, which has less, waits. If nobody
// else waits it goes on: no place stays empty.
//
// A reserve beyond the window is for interactive questions, and for tenants that
// have nothing open: neither waits until somebody else's question ends. Within a
// tenant's turn interactive questions go before normal and these before bulk ones.
package admission
