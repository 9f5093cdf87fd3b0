import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { isUnnotified, UnnotifiedNote } from '#faces/dashboard/mailing/unnotified-note.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink, PostButton } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import {
  areaField,
  choiceField,
  numberField,
  optionalTextField,
  percentField,
  tickField,
  timeField,
} from '#machinery/web/forms/field.ts'
import type { ValuesOf } from '#machinery/web/forms/form.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as pictures from '#product/catalog/events/pictures.ts'
import * as events from '#product/catalog/events/rules.ts'
import { type EventDetails, pageFields } from '#product/catalog/events/schemas.ts'
import { paymentWays, reminders, waitlistModes } from '#product/catalog/events/states.ts'
import { PrivateNotice, type PrivateWay, readPrivateWay } from './code-link.tsx'

const WHOLE = 10_000

const fields = {
  address: optionalTextField(pageFields.address.wrapped, {
    label: texts => texts.eventPage.address,
    help: texts => texts.eventPage.addressHelp,
    control: { kind: 'area', rows: 3 },
  }),
  online_url: optionalTextField(pageFields.online_url.wrapped, {
    label: texts => texts.eventPage.onlineUrl,
    help: texts => texts.eventPage.onlineUrlHelp,
    control: { kind: 'input', type: 'text', inputmode: 'url' },
  }),
  contact_email: optionalTextField(pageFields.contact_email.wrapped, {
    label: texts => texts.eventPage.contact,
    help: texts => texts.eventPage.contactHelp,
    control: { kind: 'input', type: 'email' },
  }),
  terms: areaField(20_000, 6, {
    label: texts => texts.eventPage.terms,
    help: texts => texts.eventPage.termsHelp,
  }),
  names_locked_at: timeField({ label: texts => texts.eventPage.namesLockedAt }),
  cancel_until: timeField({ label: texts => texts.eventPage.cancelUntil }),
  cancel_refund_basis_points: percentField(WHOLE, { label: texts => texts.eventPage.cancelRefund }),
  withdrawal_excluded: tickField({ label: texts => texts.eventPage.withdrawalExcluded }),
  payment_ways: choiceField(
    paymentWays,
    texts => paymentWays.map(value => ({ value, label: texts.eventPage.paymentWays[value] })),
    { label: texts => texts.eventPage.paymentWay },
    'radios',
  ),
  payment_days: numberField(1, 365, {
    label: texts => texts.eventPage.paymentDays,
    help: texts => texts.eventPage.paymentDaysHelp,
  }),
  waitlist_mode: choiceField(
    waitlistModes,
    texts =>
      (['notify', 'offer', 'off'] as const).map(value => ({
        value,
        label: texts.eventPage.waitlistModes[value],
      })),
    { label: texts => texts.eventPage.waitlistMode },
    'radios',
  ),
  waitlist_hours: numberField(1, 720, {
    label: texts => texts.eventPage.waitlistHours,
    help: texts => texts.eventPage.waitlistHoursHelp,
  }),
  reminder: choiceField(
    reminders,
    texts =>
      (['orders', 'all', 'off'] as const).map(value => ({ value, label: texts.eventPage.reminders[value] })),
    { label: texts => texts.eventPage.reminder },
    'radios',
  ),
}

interface Loaded {
  event: EventDetails
  /** The name of the account in addresses. */
  slug: string | null
  picture: pictures.Picture | undefined
  way: PrivateWay | undefined
  isUnnotified: boolean
}

async function load(tx: ReadTx, request: EventRequest, services: Services): Promise<Loaded> {
  const { event } = request
  return {
    isUnnotified: await isUnnotified(tx, request),
    event: await events.getDetails(tx, event.id),
    slug: (await accounts.getDetails(tx)).slug,
    picture: await pictures.find(tx, event.id),
    way: await readPrivateWay(tx, request, services),
  }
}

/** Edits what the page of an event shows beside its settings, and the rules by which its tickets are sold. */
export const editEventPage = formPage('event', {
  path: '/e/{event}/page',
  permission: 'events.edit',
  navigation: { icon: 'screen', text: texts => texts.eventPage.title },
  load,
  fields: () => fields,
  current: valuesOf,
  parts: (loaded, request) => {
    const { event, voice } = request
    const { eventPage: labels, page } = voice.texts
    const { slug } = loaded
    return {
      ...{ title: labels.title, about: labels.about, submit: page.save, leave: paths.event(event.id) },
      actions: slug !== null && (
        <ButtonLink href={paths.publicPage(slug, loaded.event.slug)}>{labels.see}</ButtonLink>
      ),
      first: <AboveForm loaded={loaded} request={request} />,
      rows: [
        { legend: labels.place, names: ['address', 'online_url'] },
        ['contact_email', 'terms'],
        { legend: labels.names, names: ['names_locked_at'], help: labels.namesHelp(event.timezone) },
        {
          legend: labels.cancelling,
          names: ['cancel_until', 'cancel_refund_basis_points'],
          help: labels.cancelHelp(event.timezone),
          side: true,
        },
        { legend: labels.paying, names: ['payment_ways', 'payment_days', 'withdrawal_excluded'] },
        { legend: labels.waiting, names: ['waitlist_mode', 'waitlist_hours'] },
        { legend: labels.reminding, names: ['reminder'] },
      ],
    }
  },
  act: (tx, { event }, { changes }) => events.update(tx, event.id, changes),
  entry: ({ event }) => ({ action: 'event.update', targetType: 'event', targetId: event.id }),
  next: ({ id, title }) => ({ path: paths.eventPage(id), flash: flash('eventSaved', { title }) }),
})

function valuesOf({ event }: Loaded): ValuesOf<typeof fields> {
  const at = (instant: string | null) => (instant === null ? null : Date.parse(instant))
  return { ...event, names_locked_at: at(event.names_locked_at), cancel_until: at(event.cancel_until) }
}

function AboveForm({ loaded, request }: { loaded: Loaded; request: EventRequest }) {
  const { eventPage: labels } = request.voice.texts
  return (
    <>
      <UnnotifiedNote isUnnotified={loaded.isUnnotified} request={request} />
      {loaded.slug === null && (
        <section class="card row">
          <p>{labels.noSlug}</p>
          <ButtonLink href={paths.accountSettings(request.account.id)}>{labels.toSettings}</ButtonLink>
        </section>
      )}
      {loaded.way !== undefined && <PrivateNotice way={loaded.way} request={request} />}
      <Picture loaded={loaded} request={request} />
    </>
  )
}

function Picture({ loaded: { slug, event, picture }, request }: { loaded: Loaded; request: EventRequest }) {
  const { eventPage: texts } = request.voice.texts
  const upload = paths.eventPicture(event.id)
  return (
    <section class="card stack" aria-labelledby="picture">
      <h2 id="picture">{texts.picture}</h2>
      {picture === undefined ? (
        <p class="quiet">{texts.noPicture}</p>
      ) : (
        <>
          {slug !== null && (
            <img
              class="picture"
              src={paths.publicCover(slug, event.slug, picture.hash)}
              width={picture.width}
              height={picture.height}
              alt=""
            />
          )}
          <p class="quiet">{texts.pictureIs(picture.width, picture.height)}</p>
        </>
      )}
      <div class="row">
        <ButtonLink href={upload}>
          {picture === undefined ? texts.addPicture : texts.replacePicture}
        </ButtonLink>
        {picture !== undefined && (
          <PostButton action={paths.removeEventPicture(event.id)}>{texts.removePicture}</PostButton>
        )}
      </div>
    </section>
  )
}
