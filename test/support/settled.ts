import assert from 'node:assert/strict'
import type { App } from '#app/app.ts'
import type { RecurringName } from '#app/schedule.ts'

/**
 * Resolves with what recurring work of a server brings about. It looks once, when nothing of that work is due any more by the
 * clock. It takes the place of `eventually` wherever nothing else is waited for, such as a receiver that does not answer.
 *
 * @param names in the order in which one leads to another
 */
export async function onceSettled<T>(
  { app }: { app: Pick<App, 'settled'> },
  names: RecurringName | readonly RecurringName[],
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  await app.settled(...(typeof names === 'string' ? [names] : names))
  const found = await look()
  if (found === undefined || found === false) assert.fail(`It did not come about: ${what}.`)
  return found
}
