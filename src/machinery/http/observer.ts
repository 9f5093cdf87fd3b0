/** A request that was answered. */
export interface AnsweredRequest {
  /** Null where what came was not HTTP. */
  method: string | null
  /** The path as it is declared, never as it was asked for; null where nothing is. */
  route: string | null
  status: number
  /** Until the answer begins, in milliseconds. */
  duration: number
}

export type RequestObserver = (request: AnsweredRequest) => void
