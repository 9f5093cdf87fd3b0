import { isUtf8 } from 'node:buffer'
import * as v from 'valibot'
import { type FaultAt, faultsOf } from '../faults.ts'
import { Problem } from '../problem.ts'
import { findContradictions } from './check.ts'
import { findOrderFaults } from './check-orders.ts'
import { Refusals } from './refusals.ts'
import { ENOUGH_FAULTS, type Organization, organizationSchema } from './schema.ts'

/**
 * Reads an organization file from its bytes, with or without a byte-order mark.
 *
 * @throws Problem malformed_json; those of `validateOrganization`
 */
export function readOrganization(bytes: Uint8Array): Organization {
  return validateOrganization(parseOrganization(bytes))
}

/** @throws Problem malformed_json */
export function parseOrganization(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw new Problem('malformed_json', { message: 'The file is not text in UTF-8.' })
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    throw new Problem('malformed_json', {
      message: `The file is not valid JSON: ${(error as Error).message}`,
    })
  }
}

/**
 * Checks a file against its schema, and what is well-formed of it against itself. What is wrong is told in one go.
 *
 * @throws Problem invalid_parameter, as `Refusals` has it
 */
export function validateOrganization(input: unknown): Organization {
  const { file, refusals } = checkForm(input)
  refusals.throwAny()
  return file as Organization
}

/** A file, well-formed or not, and what is wrong with it by itself. */
export interface Form {
  file: unknown
  malformed: readonly FaultAt[]
  /** At most `ENOUGH_FAULTS` of them. */
  contradictions: readonly FaultAt[]
  /** All of it. */
  refusals: Refusals
}

export function checkForm(input: unknown): Form {
  // Of each value the first fault alone: what is too long is looked at no further.
  const { output: file, issues } = v.safeParse(organizationSchema, input, { abortPipeEarly: true })
  const malformed = issues === undefined ? [] : faultsOf(issues)
  const contradictions: FaultAt[] = []
  const refusals = new Refusals(input)
  for (const fault of malformed) refusals.addFault(fault)
  for (const find of [findContradictions, findOrderFaults]) {
    for (const fault of find(file, malformed)) {
      refusals.addFault(fault)
      if (contradictions.length < ENOUGH_FAULTS) contradictions.push(fault)
    }
  }
  return {
    file: malformed.length === 0 ? asWritten(file as Organization, input) : file,
    malformed,
    contradictions,
    refusals,
  }
}

/** With the fields of the file and of its events in the order in which they were written: that is how faults are told. */
function asWritten(file: Organization, input: unknown): Organization {
  const { events } = input as Partial<Organization>
  return inOrderOf(input, { ...file, events: file.events.map((event, at) => inOrderOf(events?.[at], event)) })
}

function inOrderOf<Made extends object>(given: unknown, made: Made): Made {
  const order = Object.fromEntries(Object.keys(given as object).map(key => [key, null]))
  return Object.assign(order, made) as Made
}
