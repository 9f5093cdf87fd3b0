import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { removal } from '#faces/dashboard/frame/form-parts.tsx'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { choicesField, numberField, textField } from '#machinery/web/forms/field.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import {
  type NewPool,
  type Pool,
  poolFields,
  type TypeDetails,
} from '#product/catalog/registration-types/schemas.ts'
import { backToTickets, ToTickets } from './ticket-form.tsx'

const MAX_CAPACITY = 1_000_000

interface Loaded {
  types: readonly TypeDetails[]
}

const loadTypes = (tx: ReadTx, { event }: EventRequest) => registrationTypes.listDetails(tx, event.id)

async function loadPool(tx: ReadTx, request: EventRequest): Promise<Loaded & { pool: Pool }> {
  const { event, params } = request
  const pool = await registrationTypes.getPool(tx, event.id, params.pool ?? '')
  return { pool, types: await loadTypes(tx, request) }
}

function fieldsFor({ types }: Loaded) {
  const choices = types.map(({ id, name }) => ({ value: id, label: name }))
  return {
    name: textField(poolFields.name, {
      label: texts => texts.tickets.poolName,
      help: texts => texts.tickets.poolNameHelp,
    }),
    capacity: numberField(0, MAX_CAPACITY, { label: texts => texts.tickets.poolCapacity }),
    registration_type_ids: choicesField(
      choices.map(({ value }) => value),
      () => choices,
      { label: texts => texts.tickets.poolTypes, help: texts => texts.tickets.poolTypesHelp },
    ),
  }
}

/** Returns the types of a pool in the order of the form. */
function typesOf({ registration_type_ids: ids }: Pool, types: readonly TypeDetails[]): TypeDetails[] {
  return types.filter(({ id }) => ids.includes(id))
}

export const newPool = formPage('event', {
  path: '/e/{event}/tickets/shared/new',
  keepsTyped: true,
  permission: 'events.edit',
  load: async (tx, request): Promise<Loaded> => ({ types: await loadTypes(tx, request) }),
  fields: fieldsFor,
  parts: (_, request) => {
    const { tickets: texts } = request.voice.texts
    return {
      ...{ title: texts.newPool, about: texts.poolsAbout, submit: texts.poolCreate },
      ...backToTickets(request),
    }
  },
  act: (tx, { event }, { values }) =>
    registrationTypes.createPool(tx, event.id, {
      ...values,
      registration_type_ids: [...values.registration_type_ids],
    }),
  entry: () => ({ action: 'capacity_pool.create', targetType: 'capacity_pool', targetOf: ({ id }) => id }),
  next: ({ name }, { event }) => ({ path: paths.tickets(event.id), flash: flash('ticketAdded', { name }) }),
})

export const editPool = formPage('event', {
  path: '/e/{event}/tickets/shared/{pool}',
  keepsTyped: true,
  permission: 'events.edit',
  load: loadPool,
  fields: fieldsFor,
  current: ({ pool, types }) => ({
    name: pool.name,
    capacity: pool.capacity,
    registration_type_ids: typesOf(pool, types).map(({ id }) => id),
  }),
  parts: ({ pool: { id, name, sold, available } }, request) => {
    const { texts } = request.voice
    const remove = paths.removePool(request.event.id, id)
    return {
      ...{ title: name, isOfPeople: true, submit: texts.page.save },
      ...backToTickets(request),
      about: texts.tickets.soldAndLeft(sold, available),
      actions: (
        <ButtonLink href={remove} isDestructive>
          {texts.tickets.remove}
        </ButtonLink>
      ),
    }
  },
  act: (tx, { event }, { changes, loaded }) => {
    return registrationTypes.updatePool(tx, event.id, loaded.pool.id, changes as Partial<NewPool>)
  },
  entry: ({ params }) => ({
    action: 'capacity_pool.update',
    targetType: 'capacity_pool',
    targetId: params.pool,
  }),
  next: ({ name }, { event }) => ({ path: paths.tickets(event.id), flash: flash('ticketSaved', { name }) }),
})

/** Asks before it removes a pool, because people on the waitlist may be notified at once. */
export const removePool = formPage('event', {
  path: '/e/{event}/tickets/shared/{pool}/remove',
  permission: 'events.edit',
  load: loadPool,
  fields: () => ({}),
  preview: ({ pool }) => pool.registration_type_ids.join(),
  parts: ({ pool, types }, request) => {
    const { voice } = request
    const { tickets: texts } = voice.texts
    const names = voice.format.list(typesOf(pool, types).map(({ name }) => name))
    return removal({
      keeps: 'pool',
      title: texts.removeTitle(pool.name),
      crumbs: <ToTickets request={request} />,
      submit: texts.removePoolSubmit,
      leave: paths.editPool(request.event.id, pool.id),
      will: [texts.removePoolKeeps(names), ...(names === '' ? [] : [texts.removePoolServes])],
      refusal: undefined,
    })
  },
  act: (tx, { event }, { loaded: { pool } }) =>
    registrationTypes.removePool(tx, event.id, pool.id).then(() => pool),
  entry: ({ params }) => ({
    action: 'capacity_pool.remove',
    targetType: 'capacity_pool',
    targetId: params.pool,
    details: (_, removed) => (removed === undefined ? {} : { name: removed.name }),
  }),
  next: ({ name }, { event }) => ({ path: paths.tickets(event.id), flash: flash('ticketRemoved', { name }) }),
})
