/**
 * The result of handling a processor's event. `later`: it is about a payment here whose money is not recorded yet. `unknown`: it
 * is about no payment here.
 */
export type ProviderEventResult = 'done' | 'later' | 'unknown'

/** Receives what happens at a processor. It trusts none of it, and reads each object again before it writes anything. */
export interface ProviderEventSink {
  /** @param paymentId our id, as it was sent with the session @throws ProcessorFault */
  sessionChanged(accountId: string, sessionId: string, paymentId: string | null): Promise<ProviderEventResult>
  /** Handles a refund that was made or has changed. @throws ProcessorFault */
  refundChanged(accountId: string, refundId: string): Promise<ProviderEventResult>
  /** @throws ProcessorFault */
  disputeChanged(accountId: string, disputeId: string): Promise<ProviderEventResult>
}
