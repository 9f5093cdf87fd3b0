import { lookup as systemLookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'

/** How long a look-up may take, in milliseconds, and after how long it asks again. Both are within the deadline of an attempt. */
const LIMIT = 5_000
const ASK_AGAIN = 1_500

/** The errors of a name server that does not know the name, or of no name server to ask. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/**
 * Looks names up by asking the name servers directly. The look-up of the system occupies a thread until it ends. There are so few
 * threads that two names with dead servers would keep the names of every other endpoint waiting. The system is asked only for
 * names that the name servers do not know, such as a name of the hosts file.
 *
 * @param servers to use instead of those of the system
 * @param limit in milliseconds
 */
export function nameLookup(servers?: readonly string[], limit = LIMIT): LookupFunction {
  return (hostname, options, callback) => {
    // Each look-up needs a new resolver, because a resolver reads the name servers of the system only once.
    const resolver = new Resolver({ timeout: ASK_AGAIN, tries: 3 })
    if (servers !== undefined) resolver.setServers(servers)
    const timer = setTimeout(() => resolver.cancel(), limit)
    const questions = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
    void Promise.allSettled(questions).then(([four, six]) => {
      clearTimeout(timer)
      const found = [...addressesOf(four, 4), ...addressesOf(six, 6)]
      const [first] = found
      if (first !== undefined) {
        if (options.all) callback(null, found)
        else callback(null, first.address, first.family)
        return
      }
      const failure = [four, six].map(reasonOf).find(reason => !UNKNOWN.has(reason.code ?? ''))
      if (failure === undefined) systemLookup(hostname, options, callback)
      else callback(failure, '', 4)
    })
  }
}

function addressesOf(answer: PromiseSettledResult<string[]> | undefined, family: 4 | 6) {
  return answer?.status === 'fulfilled' ? answer.value.map(address => ({ address, family })) : []
}

function reasonOf(answer: PromiseSettledResult<string[]> | undefined): NodeJS.ErrnoException {
  return answer?.status === 'rejected' ? answer.reason : { name: '', message: '' }
}
