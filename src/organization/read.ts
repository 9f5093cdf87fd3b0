import { isUtf8 } from 'node:buffer'
import * as v from 'valibot'
import { type FaultAt, faultsOf, tell } from '../faults.ts'
import { Problem } from '../problem.ts'
import { findFault } from './check.ts'
import { type Organization, organizationSchema } from './schema.ts'

/** The longest path that is quoted: an unknown field may have a name of any length. */
const MAX_PATH = 200

/**
 * Reads an organization file from its bytes, with or without a byte-order mark.
 *
 * @throws Problem malformed_json; those of `validateOrganization`
 */
export function readOrganization(bytes: Uint8Array): Organization {
  if (!isUtf8(bytes)) throw new Problem('malformed_json', { message: 'The file is not text in UTF-8.' })
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    throw new Problem('malformed_json', {
      message: `The file is not valid JSON: ${(error as Error).message}`,
    })
  }
  return validateOrganization(parsed)
}

/** @throws Problem invalid_parameter with the dotted path of the first fault as `param` */
export function validateOrganization(input: unknown): Organization {
  const result = v.safeParse(organizationSchema, input, { abortEarly: true })
  if (!result.success) throw faultRefusal(faultsOf(result.issues)[0])
  const fault = findFault(result.output)
  if (fault !== undefined) throw faultRefusal(fault)
  return result.output
}

function faultRefusal({ path, fault }: FaultAt): Problem {
  const param = quoted(path ?? 'The file')
  return new Problem('invalid_parameter', { param, message: tell(param, fault) })
}

/** What a file is refused with: the sentence starts with the path of what is wrong. */
export function refusal(path: string, message: string): Problem {
  const param = quoted(path)
  return new Problem('invalid_parameter', { param, message: `${param} ${message}.` })
}

function quoted(path: string): string {
  return path.slice(0, MAX_PATH).toWellFormed()
}
