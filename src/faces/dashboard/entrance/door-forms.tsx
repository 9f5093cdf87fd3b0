import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { question } from '#faces/dashboard/frame/form-parts.tsx'
import { OnlyHereNote } from '#faces/dashboard/frame/only-here.tsx'
import type { View } from '#faces/dashboard/frame/page.ts'
import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { Copyable } from '#machinery/web/components/copyable.tsx'
import { Banner, ButtonLink, Head } from '#machinery/web/components/parts.tsx'
import { QrCode } from '#machinery/web/components/qr-code.tsx'
import { flash } from '#machinery/web/flash.ts'
import { choiceField, choicesField, textField, tickField } from '#machinery/web/forms/field.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as rules from '#product/entrance/doors/change-door.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import { deviceName, ways } from '#product/entrance/doors/schemas.ts'
import { OF_DOORS } from './door-parts.tsx'

function ToDoors({ request: { event, voice } }: { request: EventRequest }) {
  return <a href={paths.doors(event.id)}>{voice.texts.doors.title}</a>
}

function nameAndTypes(types: readonly { id: string; name: string }[]) {
  const choices = types.map(({ id, name }) => ({ value: id, label: name }))
  return {
    name: textField(deviceName, {
      label: texts => texts.doors.name,
      help: texts => texts.doors.nameHelp,
    }),
    registration_type_ids: choicesField(
      choices.map(({ value }) => value),
      () => choices,
      { label: texts => texts.doors.types, help: texts => texts.doors.typesHelp },
    ),
  }
}

/** Asks for the way through a door, where some ticket admits again after an exit. */
function wayOf(types: readonly { reentry: boolean }[]) {
  const way = choiceField(
    ways,
    texts => ways.map(value => ({ value, label: texts.entries.ways[value] })),
    { label: texts => texts.entries.way },
    'radios',
  )
  // A form without the field has no value of it, and the door is a way in.
  return (types.some(({ reentry }) => reentry) ? { way } : {}) as { way: typeof way }
}

/** Makes a door. Only the answer to the form shows the code that pairs a phone. */
export const newDoor = formPage('event', {
  ...OF_DOORS,
  path: '/e/{event}/doors/new',
  load: async (tx, { event }, { baseUrl }) => ({
    types: await registrationTypes.listDetails(tx, event.id),
    baseUrl,
  }),
  fields: ({ types }) => ({
    ...nameAndTypes(types),
    ...wayOf(types),
    search: tickField({ label: texts => texts.doors.search, help: texts => texts.doors.searchHelp }),
    unlisted: tickField({ label: texts => texts.doors.unlisted, help: texts => texts.doors.unlistedHelp }),
  }),
  initial: () => ({ search: true, unlisted: true, way: 'in' as const }),
  parts: (_, { event, voice }) => {
    const { newTitle: title, newSubmit: submit, title: crumbs } = voice.texts.doors
    return { title, crumbs, submit, leave: paths.doors(event.id) }
  },
  act: (tx, { event }, { values, loaded: { baseUrl } }) => {
    const { registration_type_ids: ids, ...rest } = values
    const types = ids.length === 0 ? null : [...ids]
    const input = { ...rest, event_id: event.id, registration_type_ids: types }
    return doors.add(tx, input, baseUrl)
  },
  entry: () => doors.addEntry,
  next: (_, { event }) => ({ path: paths.doors(event.id) }),
  once: pairingView,
})

/** Reads a door of the event. @throws Problem not_found, also for a door that was revoked */
async function readDoor(
  tx: Parameters<typeof doors.get>[0],
  { event, params }: EventRequest,
  { baseUrl }: Services,
) {
  const device = await doors.getOfEvent(tx, event.id, params.door ?? '')
  return { device, baseUrl }
}

/** Renames a door, or lets it admit other types. */
export const changeDoor = formPage('event', {
  ...OF_DOORS,
  path: '/e/{event}/doors/{door}/change',
  load: async (tx, request, services) => ({
    ...(await readDoor(tx, request, services)),
    types: await registrationTypes.listDetails(tx, request.event.id),
  }),
  fields: ({ types }) => nameAndTypes(types),
  initial: ({ device: { name, registration_type_ids: ids }, types }) => ({
    name,
    registration_type_ids: types.map(({ id }) => id).filter(id => ids?.includes(id)),
  }),
  parts: ({ device }, { event, voice }) => {
    const { editTitle, editSubmit: submit, title: crumbs } = voice.texts.doors
    return { title: editTitle(device.name), isOfPeople: true, crumbs, submit, leave: paths.doors(event.id) }
  },
  act: (tx, _, { values: { name, registration_type_ids: ids }, loaded: { device } }) =>
    rules.changeDoor(tx, device.id, { name, registration_type_ids: ids.length === 0 ? null : [...ids] }),
  entry: ({ params }) => rules.changeEntry(params.door ?? ''),
  next: ({ device: { name } }, { event }) => ({
    path: paths.doors(event.id),
    flash: flash('doorChanged', { name }),
  }),
})

/** Makes a new code for a door. */
export const pairDoor = formPage('event', {
  ...OF_DOORS,
  path: '/e/{event}/doors/{door}/pair',
  load: readDoor,
  fields: () => ({}),
  parts: ({ device }, { event, voice }) => {
    const { doors: texts } = voice.texts
    return question({
      ...{ title: texts.pairAsk(device.name), crumbs: texts.title },
      ...{ submit: texts.pairSubmit, leave: paths.doors(event.id) },
      will: [texts.pairThen, ...(device.paired_at === null ? [] : [texts.pairBefore])],
    })
  },
  act: (tx, _, { loaded: { device, baseUrl } }) => doors.renewPairing(tx, device.id, baseUrl),
  entry: ({ params }) => doors.renewEntry(params.door ?? ''),
  next: (_, { event }) => ({ path: paths.doors(event.id) }),
  once: pairingView,
})

/** Shows the code that pairs a phone, and how to use it. */
function pairingView({ id, name, pairing_url: url, expires_at }: doors.Pairing, request: EventRequest): View {
  const { event, voice } = request
  const { texts, format } = voice
  const title = texts.doors.pairTitle(name)
  return {
    title,
    body: (
      <>
        <Head title={<bdi>{title}</bdi>} crumbs={<ToDoors request={request} />} />
        <Banner tone="warn">
          <p>{texts.doors.pairUntil(format.time(expires_at))}</p>
        </Banner>
        <OnlyHereNote url={url} texts={texts} />
        <div class="card pairing">
          <QrCode text={url} label={texts.doors.qr} level="M" />
          <div class="stack">
            <ol>
              <li>{texts.doors.step1}</li>
              <li>{texts.doors.step2}</li>
              <li>{texts.doors.step3}</li>
            </ol>
            <Copyable label={texts.doors.link} text={url} texts={texts} />
            <div class="row">
              <ButtonLink href={paths.doors(event.id)} main>
                {texts.doors.done}
              </ButtonLink>
              <ButtonLink href={paths.ofDoor(event.id, id, 'pair')}>{texts.doors.another}</ButtonLink>
            </div>
          </div>
        </div>
      </>
    ),
  }
}

/** Revokes a door. */
export const revokeDoor = formPage('event', {
  ...OF_DOORS,
  path: '/e/{event}/doors/{door}/revoke',
  load: readDoor,
  fields: () => ({}),
  parts: ({ device: { name, waiting } }, { event, voice }) => {
    const { doors: texts } = voice.texts
    return question({
      ...{ title: texts.revokeTitle(name), crumbs: texts.title },
      ...{ submit: texts.revokeSubmit, isDanger: true, keeps: 'door', leave: paths.doors(event.id) },
      will: [
        texts.revokeAtOnce,
        texts.revokeWipes,
        waiting === 0 ? texts.revokeNone : texts.revokeWaiting(waiting),
      ],
    })
  },
  act: (tx, _, { loaded: { device } }) => doors.revoke(tx, device.id),
  entry: ({ params }) => doors.revokeEntry(params.door ?? ''),
  next: ({ name }, { event }) => ({
    path: paths.doors(event.id),
    flash: flash('doorRevoked', { name }),
  }),
})
