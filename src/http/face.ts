import type { ParameterizedContext } from 'koa'
import type { Problem } from '../problem.ts'

/** What is known of a request, whichever face it is for. The stages of a face add to it what they find out. */
export interface State {
  requestId: string
  /** The one that has the path; undefined where none has it, and where the target is none. */
  face: Face | undefined
  route: NamedRoute | undefined
  /** What the log says of who asks, once it is known: `{key_id}`. */
  asker: Readonly<Record<string, string>> | undefined
  /** What was answered where it was refused or has failed. */
  problem: Problem | undefined
}

/** A route for the log and the metrics. */
export interface NamedRoute {
  /** As it is declared, never as it was asked for. */
  path: string
  logLevel: 'info' | 'debug'
}

export type Context<FaceState extends State = State> = ParameterizedContext<FaceState>
export type Stage<FaceState extends State = State> = (
  context: Context<FaceState>,
  next: () => Promise<unknown>,
) => Promise<unknown>

/**
 * One of those whom the service speaks to in a way of their own: programs, organizers, buyers, scanners. How the bodies of its
 * requests are read is a matter of its stages.
 *
 * @typeParam FaceState what its own stages find out about a request; `never` where only the face itself knows it
 */
export interface Face<FaceState extends State = never> {
  /** What all of its paths begin with: `/v1`. Empty for the face that has what is left over. */
  path: string
  /** What the log and the metrics write instead of `path`. */
  loggedPath?: string
  /** Of each of its answers, over those that every answer has. */
  headers?: Readonly<Record<string, string>>
  routes: readonly FaceRoute<FaceState>[]
  /**
   * Answers what was refused or has failed below its path, instead of the JSON of the specification's section 7. An error
   * that is no Problem is in the log, and told as `internal_error`, by then.
   */
  answerProblem?(context: Context<FaceState>, problem: Problem): Promise<void> | void
}

export interface FaceRoute<FaceState extends State = never> {
  /** GET is HEAD too. */
  method: 'GET' | 'POST'
  /** Below that of the face, in OpenAPI's form, letter for letter: `/registrations/{id}`. */
  path: string
  /** One after another; the last answers. */
  stages: readonly Stage<FaceState>[]
  /** `debug` for what is asked every few seconds, for ever. */
  logLevel?: 'debug'
}
