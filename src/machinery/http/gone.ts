import type { ServerResponse } from 'node:http'

/** Returns a signal that aborts once the connection of a request is closed, which may be before its answer. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (response.destroyed) controller.abort()
  else response.once('close', () => controller.abort())
  return controller.signal
}
