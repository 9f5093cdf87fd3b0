import * as doors from '../../doors/rules.ts'
import { deviceName } from '../../doors/schemas.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import { Copyable } from '../../web/components/copyable.tsx'
import { Banner, ButtonLink, Head } from '../../web/components/parts.tsx'
import { QrCode } from '../../web/components/qr-code.tsx'
import { flash } from '../../web/flash.ts'
import { choicesField, textField, tickField } from '../../web/forms/field.ts'
import { Form } from '../../web/forms/form-view.tsx'
import type { OfEvent, Services } from '../asked.ts'
import { OF_DOORS } from '../door-parts.tsx'
import { formPage } from '../form-page.ts'
import type { View } from '../page.ts'
import { paths } from '../paths.ts'
import { questionView } from '../question.tsx'

function ToDoors({ asked: { event, voice } }: { asked: OfEvent }) {
  return <a href={paths.doors(event.id)}>{voice.texts.doors.title}</a>
}

/** Makes a door. What a phone is paired by is in the answer alone. */
export const newDoor = formPage('event', {
  ...OF_DOORS,
  path: '/e/{event}/doors/new',
  load: async (tx, { account, event }, { baseUrl }) => ({
    types: await registrationTypes.listDetails(tx, account.id, event.id),
    baseUrl,
  }),
  fields: ({ types }) => {
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
      search: tickField({ label: texts => texts.doors.search, help: texts => texts.doors.searchHelp }),
      unlisted: tickField({ label: texts => texts.doors.unlisted, help: texts => texts.doors.unlistedHelp }),
    }
  },
  initial: () => ({ search: true, unlisted: true }),
  view: (_, asked, state) => {
    const { event, voice } = asked
    const { doors: texts } = voice.texts
    return {
      title: texts.newTitle,
      body: (
        <>
          <Head title={texts.newTitle} crumbs={<ToDoors asked={asked} />} />
          <Form
            state={state}
            texts={voice.texts}
            action={paths.newDoor(event.id)}
            submit={texts.newSubmit}
            leave={paths.doors(event.id)}
          />
        </>
      ),
    }
  },
  act: (tx, { account, event }, { values, loaded: { baseUrl } }) => {
    const { registration_type_ids: ids, ...rest } = values
    const types = ids.length === 0 ? null : [...ids]
    const input = { ...rest, event_id: event.id, registration_type_ids: types }
    return doors.add(tx, account.id, input, baseUrl)
  },
  entry: () => doors.addEntry,
  next: (_, { event }) => ({ path: paths.doors(event.id) }),
  once: pairingView,
})

/** A door of the event. @throws Problem not_found, also for one that was revoked */
async function readDoor(
  tx: Parameters<typeof doors.get>[0],
  { account, event, params }: OfEvent,
  { baseUrl }: Services,
) {
  const device = await doors.getOfEvent(tx, account.id, event.id, params.door ?? '')
  return { device, baseUrl }
}

/** Makes a new code for a door. */
export const pairDoor = formPage('event', {
  ...OF_DOORS,
  path: '/e/{event}/doors/{door}/pair',
  load: readDoor,
  fields: () => ({}),
  view: ({ device }, asked, state) => {
    const { event, voice } = asked
    const { doors: texts } = voice.texts
    return questionView({
      title: texts.pairAsk(device.name),
      crumbs: <ToDoors asked={asked} />,
      texts: voice.texts,
      state,
      action: paths.ofDoor(event.id, device.id, 'pair'),
      submit: texts.pairSubmit,
      leave: paths.doors(event.id),
      will: [texts.pairThen, ...(device.paired_at === null ? [] : [texts.pairBefore])],
    })
  },
  act: (tx, { account }, { loaded: { device, baseUrl } }) =>
    doors.renewPairing(tx, account.id, device.id, baseUrl),
  entry: ({ params }) => doors.renewEntry(params.door ?? ''),
  next: (_, { event }) => ({ path: paths.doors(event.id) }),
  once: pairingView,
})

/** What a phone is paired by, and how. */
function pairingView({ id, name, pairing_url: url, expires_at }: doors.Pairing, asked: OfEvent): View {
  const { event, voice } = asked
  const { texts, format } = voice
  const title = texts.doors.pairTitle(name)
  return {
    title,
    body: (
      <>
        <Head title={<bdi>{title}</bdi>} crumbs={<ToDoors asked={asked} />} />
        <Banner tone="warn">
          <p>{texts.doors.pairUntil(format.time(expires_at))}</p>
        </Banner>
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

/** Ends a door. */
export const revokeDoor = formPage('event', {
  ...OF_DOORS,
  path: '/e/{event}/doors/{door}/revoke',
  load: readDoor,
  fields: () => ({}),
  view: ({ device: { id, name, waiting } }, asked, state) => {
    const { event, voice } = asked
    const { doors: texts } = voice.texts
    return questionView({
      title: texts.revokeTitle(name),
      crumbs: <ToDoors asked={asked} />,
      texts: voice.texts,
      state,
      action: paths.ofDoor(event.id, id, 'revoke'),
      submit: texts.revokeSubmit,
      leave: paths.doors(event.id),
      will: [
        texts.revokeAtOnce,
        texts.revokeWipes,
        waiting === 0 ? texts.revokeNone : texts.revokeWaiting(waiting),
      ],
      isDanger: true,
    })
  },
  act: (tx, { account }, { loaded: { device } }) => doors.revoke(tx, account.id, device.id),
  entry: ({ params }) => doors.revokeEntry(params.door ?? ''),
  next: ({ name }, { event }) => ({
    path: paths.doors(event.id),
    flash: flash('doorRevoked', { name }),
  }),
})
