import type { ReadTx } from '../../db/port.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import { type NewPool, type Pool, poolFields, type TypeDetails } from '../../registration-types/schemas.ts'
import { ButtonLink, Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { choicesField, numberField, textField } from '../../web/forms/field.ts'
import type { FormState } from '../../web/forms/form.ts'
import { Form } from '../../web/forms/form-view.tsx'
import type { OfEvent } from '../asked.ts'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'
import { removalView } from '../removal.tsx'
import { ToTickets } from './ticket-form.tsx'

const MAX_CAPACITY = 1_000_000

interface Loaded {
  types: readonly TypeDetails[]
}

const loadTypes = (tx: ReadTx, { account, event }: OfEvent) =>
  registrationTypes.listDetails(tx, account.id, event.id)

async function loadPool(tx: ReadTx, asked: OfEvent): Promise<Loaded & { pool: Pool }> {
  const { account, event, params } = asked
  const pool = await registrationTypes.getPool(tx, account.id, event.id, params.pool ?? '')
  return { pool, types: await loadTypes(tx, asked) }
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

/** The types of a pool in the order of the form. */
function typesOf({ registration_type_ids: ids }: Pool, types: readonly TypeDetails[]): TypeDetails[] {
  return types.filter(({ id }) => ids.includes(id))
}

export const newPool = formPage('event', {
  path: '/e/{event}/tickets/shared/new',
  permission: 'events.edit',
  load: async (tx, asked): Promise<Loaded> => ({ types: await loadTypes(tx, asked) }),
  fields: fieldsFor,
  view: (_, asked, state) => {
    const { tickets: texts } = asked.voice.texts
    const action = paths.newPool(asked.event.id)
    return {
      title: texts.newPool,
      body: (
        <>
          <Head title={texts.newPool} crumbs={<ToTickets asked={asked} />} about={texts.poolsAbout} />
          <PoolForm asked={asked} state={state} action={action} submit={texts.poolCreate} />
        </>
      ),
    }
  },
  act: (tx, { account, event }, { values }) =>
    registrationTypes.createPool(tx, account.id, event.id, {
      ...values,
      registration_type_ids: [...values.registration_type_ids],
    }),
  entry: () => ({ action: 'capacity_pool.create', targetType: 'capacity_pool', targetOf: ({ id }) => id }),
  next: ({ name }, { event }) => ({ path: paths.tickets(event.id), flash: flash('ticketAdded', { name }) }),
})

export const editPool = formPage('event', {
  path: '/e/{event}/tickets/shared/{pool}',
  permission: 'events.edit',
  load: loadPool,
  fields: fieldsFor,
  current: ({ pool, types }) => ({
    name: pool.name,
    capacity: pool.capacity,
    registration_type_ids: typesOf(pool, types).map(({ id }) => id),
  }),
  view: ({ pool }, asked, state) => {
    const { texts } = asked.voice
    const { id, name, sold, available } = pool
    const remove = paths.removePool(asked.event.id, id)
    return {
      title: name,
      body: (
        <>
          <Head
            title={<bdi>{name}</bdi>}
            crumbs={<ToTickets asked={asked} />}
            about={texts.tickets.soldAndLeft(sold, available)}
            actions={<ButtonLink href={remove}>{texts.tickets.remove}</ButtonLink>}
          />
          <PoolForm
            asked={asked}
            state={state}
            action={paths.editPool(asked.event.id, id)}
            submit={texts.page.save}
          />
        </>
      ),
    }
  },
  act: (tx, { account, event }, { changes, loaded }) => {
    return registrationTypes.updatePool(tx, account.id, event.id, loaded.pool.id, changes as Partial<NewPool>)
  },
  entry: ({ params }) => ({
    action: 'capacity_pool.update',
    targetType: 'capacity_pool',
    targetId: params.pool,
  }),
  next: ({ name }, { event }) => ({ path: paths.tickets(event.id), flash: flash('ticketSaved', { name }) }),
})

interface PoolFormProps {
  asked: OfEvent
  state: FormState
  action: string
  submit: string
}

function PoolForm({ asked: { event, voice }, ...form }: PoolFormProps) {
  return <Form {...form} texts={voice.texts} leave={paths.tickets(event.id)} />
}

/** A page that asks first: whoever waits for a place may be told at once. */
export const removePool = formPage('event', {
  path: '/e/{event}/tickets/shared/{pool}/remove',
  permission: 'events.edit',
  load: loadPool,
  fields: () => ({}),
  seen: ({ pool }) => pool.registration_type_ids.join(),
  view: ({ pool, types }, asked, state) => {
    const { event, voice } = asked
    const { tickets: texts } = voice.texts
    const names = voice.format.list(typesOf(pool, types).map(({ name }) => name))
    return removalView({
      ...{ state, texts: voice.texts, crumbs: <ToTickets asked={asked} />, refusal: undefined },
      title: texts.removeTitle(pool.name),
      action: paths.removePool(event.id, pool.id),
      submit: texts.removePoolSubmit,
      leave: paths.editPool(event.id, pool.id),
      will: [texts.removePoolKeeps(names), ...(names === '' ? [] : [texts.removePoolServes])],
    })
  },
  act: (tx, { account, event }, { loaded: { pool } }) =>
    registrationTypes.removePool(tx, account.id, event.id, pool.id).then(() => pool),
  entry: ({ params }) => ({
    action: 'capacity_pool.remove',
    targetType: 'capacity_pool',
    targetId: params.pool,
    details: (_, removed) => (removed === undefined ? {} : { name: removed.name }),
  }),
  next: ({ name }, { event }) => ({ path: paths.tickets(event.id), flash: flash('ticketRemoved', { name }) }),
})
