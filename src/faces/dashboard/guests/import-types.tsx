import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { actorOf, type EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { numberField } from '#machinery/web/forms/field.ts'
import * as moving from '#product/guests/imports/moving.ts'
import type { MissingType } from '#product/guests/imports/read-line.ts'
import { uploadOf } from './import.tsx'

const MAX_CAPACITY = 1_000_000

async function load(tx: ReadTx, request: EventRequest): Promise<readonly MissingType[]> {
  const missing = moving.missingTypes(await uploadOf(tx, request))
  if (missing.length === 0) throw new Problem('not_found')
  return missing
}

const fieldName = (at: number) => `capacity.${at}`

/** Makes the ticket types that an export names and the event does not have. It asks how many tickets of each there can be. */
export const importTypes = formPage('event', {
  path: '/e/{event}/guests/import/{job}/types',
  permission: 'events.edit',
  load,
  // What is sent belongs to these types, in their order.
  preview: missing => JSON.stringify(missing.map(({ name }) => name)),
  fields: missing =>
    Object.fromEntries(
      missing.map(({ name, tickets, extra }, at) => [
        fieldName(at),
        numberField(0, MAX_CAPACITY, {
          label: () => `\u2068${name}\u2069`,
          help: ({ imports: texts }) => (extra ? texts.extraHelp : texts.capacityHelp)(tickets),
        }),
      ]),
    ),
  initial: missing => Object.fromEntries(missing.map(({ tickets }, at) => [fieldName(at), tickets])),
  parts: (_, { event, params, voice }) => {
    const { imports: texts } = voice.texts
    return {
      title: texts.typesTitle,
      about: texts.typesAbout,
      crumbs: <a href={paths.importGuests(event.id)}>{texts.title}</a>,
      submit: texts.makeTypes,
      leave: paths.guestImport(event.id, params.job ?? ''),
    }
  },
  act: (tx, request, { values, loaded }) => {
    const capacities = loaded.map((_, at) => values[fieldName(at)] ?? 0)
    return moving.makeTypes(tx, actorOf(request), request.params.job ?? '', capacities)
  },
  entry: ({ params }) => ({ action: 'import.check', targetType: 'job', targetId: params.job }),
  next: ({ id }, { event }) => ({ path: paths.guestImport(event.id, id) }),
})
