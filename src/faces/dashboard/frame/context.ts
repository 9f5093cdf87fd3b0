import type { ComponentChildren } from 'preact'
import type * as http from '#machinery/http/face.ts'
import type { Holding } from '#machinery/http/memory-budget.ts'
import type { Voice } from '#machinery/web/voice.ts'

/** What a page adds to the state of its request. */
export interface State extends http.State {
  /** The texts and formats of the answer. The gate sets them once it knows the language and the time zone. */
  voice: Voice
  /**
   * Answers a refusal in the frame of what the page is about. The gate sets it once it knows who asks, and that the user is a
   * member there.
   */
  answerInFrame?: (refusal: { title: string; status: number; body: ComponentChildren }) => Promise<void>
  holding: Holding
  /** What a form has sent. The gate sets it once it has read the form. */
  body: URLSearchParams
  /**
   * A page that takes a file calls it once the file is here. It refuses users who were signed out or removed meanwhile.
   *
   * @throws Problem
   */
  admitAgain: () => Promise<void>
}

export type Context = http.Context<State>
