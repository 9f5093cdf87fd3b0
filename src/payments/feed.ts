/**
 * What became of what somebody was told. `later`: it is of a payment here of which the money is not written down yet; `unknown`: it
 * is of no payment here.
 */
export type Heard = 'done' | 'later' | 'unknown'

/** Is told what happens at a processor. Nothing is believed of it: each object is read again before anything is written. */
export interface Sink {
  /** @param paymentId ours, as it was sent with the session @throws ProcessorFault */
  lookAtSession(accountId: string, sessionId: string, paymentId: string | null): Promise<Heard>
  /** A refund was made, or has changed. @throws ProcessorFault */
  refundChanged(accountId: string, refundId: string): Promise<Heard>
  /** @throws ProcessorFault */
  disputeChanged(accountId: string, disputeId: string): Promise<Heard>
}
