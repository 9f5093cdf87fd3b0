/** A request that was answered. */
export interface AnsweredRequest {
  /** Null if the input was not HTTP. */
  method: string | null
  /** The declared path, never the requested one. It is null if no route matches. */
  route: string | null
  status: number
  /** The milliseconds until the answer begins. */
  duration: number
}

export type RequestObserver = (request: AnsweredRequest) => void
