import type { ParameterizedContext } from 'koa'
import type { Problem } from '#base/problem.ts'

/** The state of a request for any face. The stages of the face add to it. */
export interface State {
  requestId: string
  /** The face with this path. It is undefined if no face has the path, or the request target is invalid. */
  face: Face | undefined
  route: NamedRoute | undefined
  /** The caller, as the log names it, once it is known: `{key_id}`. */
  asker: Readonly<Record<string, string>> | undefined
  /** The Problem with which the request was refused or failed. */
  problem: Problem | undefined
}

/** A route for the log and the metrics. */
export interface NamedRoute {
  /** The declared path, never the requested one. */
  path: string
  logLevel: 'info' | 'debug'
}

export type Context<FaceState extends State = State> = ParameterizedContext<FaceState>
export type Stage<FaceState extends State = State> = (
  context: Context<FaceState>,
  next: () => Promise<unknown>,
) => Promise<unknown>

/**
 * One side of the service, for callers of one kind: programs, organizers, buyers or scanners. The stages of a face read the
 * bodies of its requests.
 *
 * @typeParam FaceState the state that its own stages add to a request, or `never` if only the face itself knows it
 */
export interface Face<FaceState extends State = never> {
  /** The prefix of all its paths: `/v1`. It is empty for the face with all remaining paths. */
  path: string
  /** The prefix that the log and the metrics show instead of `path`. */
  loggedPath?: string
  /**
   * True if people use it in a browser. Its pages and their files then leave out the count of requests, which is for programs.
   * What it answers in JSON has the count, like the API.
   */
  isForPeople?: true
  /** Headers of each of its answers, beside those that every answer has. */
  headers?: Readonly<Record<string, string>>
  routes: readonly FaceRoute<FaceState>[]
  /**
   * Answers a refused or failed request below its path, instead of the JSON of section 7 of the specification. The log already
   * has an error that is not a Problem, and it arrives here as `internal_error`.
   */
  answerProblem?(context: Context<FaceState>, problem: Problem): Promise<void> | void
}

export interface FaceRoute<FaceState extends State = never> {
  /** A GET route also answers HEAD. */
  method: 'GET' | 'POST'
  /** The path below that of the face, in OpenAPI's form: `/registrations/{id}`. */
  path: string
  /** The stages in their order. The last one answers. */
  stages: readonly Stage<FaceState>[]
  /** `debug` for routes that are polled every few seconds. */
  logLevel?: 'debug'
  /**
   * Bytes a second, for a route that takes files. Its body may take longer than the 30 s of any request, as long as it comes in
   * no slower.
   */
  bodyRate?: number | undefined
}
