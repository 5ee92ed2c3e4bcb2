// Package kopftest tests a whole operator in virtual time: it runs against an API server in memory, inside testing/synctest, so that hours
// pass in milliseconds, and no test depends on how fast a machine is.
//
//	func TestBackup(t *testing.T) {
//		synctest.Test(t, func(t *testing.T) {
//			stage := kopftest.New(t, Operator)
//			orders := stage.Create(&Backup{ObjectMeta: metav1.ObjectMeta{Name: "orders"}})
//			orders.Expect(`progress: {copy: {retries: 1}}`)
//			stage.Advance(10 * time.Minute)
//			orders.Expect(`status: {copy: {volume: orders}}`)
//		})
//	}
//
// A [Stage] is the server and the operator. An [Object] is created, changed and deleted as people do it; what is expected of it is
// written as the part of it that is to be seen. Each of these waits until the operator has nothing left to do at this moment of virtual
// time, so that there is nothing to poll for. The stage can stop and restart the operator, fail its requests ([Stage.Fail]), and have its
// watches come late or break. A test that fails shows a timeline of what happened: what the test did, requests, events and the log.
//
// The package stands above package operator, and no operator links it. docs/testing.md tells what the API server in memory does not do.
package kopftest
