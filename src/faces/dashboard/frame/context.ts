import type * as http from '../http/face.ts'
import type { Holding } from '../http/memory-budget.ts'
import type { Voice } from '../web/voice.ts'

/** What a page adds to the state of its request. */
export interface State extends http.State {
  /** How its answer speaks, once that is known. */
  voice: Voice
  holding: Holding
  /** What a form has sent, once it was read. */
  body: URLSearchParams
  /** Of a page that takes a file, once that is here: refuses whoever was signed out or removed meanwhile. @throws Problem */
  admitAgain: () => Promise<void>
}

export type Context = http.Context<State>
