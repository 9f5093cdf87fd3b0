import { isUtf8 } from 'node:buffer'
import * as v from 'valibot'
import { faultsOf } from '../faults.ts'
import { Problem } from '../problem.ts'
import { findContradictions } from './check.ts'
import { Refusals } from './refusals.ts'
import { type Organization, organizationSchema } from './schema.ts'

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

/**
 * Checks a file against its schema, and what is well-formed of it against itself. What is wrong is told in one go.
 *
 * @throws Problem invalid_parameter, as `Refusals` has it
 */
export function validateOrganization(input: unknown): Organization {
  // Of each value the first fault alone: what is too long is looked at no further.
  const { output, issues } = v.safeParse(organizationSchema, input, { abortPipeEarly: true })
  const faults = issues === undefined ? [] : faultsOf(issues)
  const refusals = new Refusals()
  for (const fault of faults) refusals.addFault(fault)
  for (const fault of findContradictions(output, faults)) refusals.addFault(fault)
  refusals.throwAny()
  return output as Organization
}
