import * as accounts from '../../accounts/rules.ts'
import type { ReadTx } from '../../db/port.ts'
import * as pictures from '../../events/pictures.ts'
import * as events from '../../events/rules.ts'
import { type EventDetails, pageFields } from '../../events/schemas.ts'
import { paymentWays, reminders, waitlistModes } from '../../events/states.ts'
import { ButtonLink, Head, PostButton } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import {
  areaField,
  choiceField,
  numberField,
  optionalTextField,
  percentField,
  tickField,
  timeField,
} from '../../web/forms/field.ts'
import type { ValuesOf } from '../../web/forms/form.ts'
import { FieldGroup, FieldRows, Form } from '../../web/forms/form-view.tsx'
import type { OfEvent, Services } from '../asked.ts'
import { PrivateNotice, type PrivateWay, readPrivateWay } from '../code-link.tsx'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'
import { isUntold, UntoldNote } from '../untold-note.tsx'

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
  /** Of the account, in addresses. */
  slug: string | null
  picture: pictures.Picture | undefined
  way: PrivateWay | undefined
  isUntold: boolean
}

async function load(tx: ReadTx, asked: OfEvent, services: Services): Promise<Loaded> {
  const { account, event } = asked
  return {
    isUntold: await isUntold(tx, asked),
    event: await events.getDetails(tx, account.id, event.id),
    slug: (await accounts.getDetails(tx, account.id)).slug,
    picture: await pictures.find(tx, account.id, event.id),
    way: await readPrivateWay(tx, asked, services),
  }
}

/** What the page of an event shows beside what its settings say, and by which rules its tickets are sold. */
export const editEventPage = formPage('event', {
  path: '/e/{event}/page',
  permission: 'events.edit',
  navigation: { icon: 'screen', text: texts => texts.eventPage.title },
  load,
  fields: () => fields,
  current: valuesOf,
  view: (loaded, asked, state) => {
    const { event, voice } = asked
    const { texts } = voice
    const { eventPage: said } = texts
    const rows = { state, texts }
    return {
      title: said.title,
      body: (
        <>
          <Head
            title={said.title}
            about={said.about}
            actions={
              loaded.slug !== null && (
                <ButtonLink href={paths.publicPage(loaded.slug, loaded.event.slug)}>{said.see}</ButtonLink>
              )
            }
          />
          <div class="stack">
            <UntoldNote isUntold={loaded.isUntold} asked={asked} />
            {loaded.slug === null && (
              <section class="card row">
                <p>{said.noSlug}</p>
                <ButtonLink href={paths.accountSettings(asked.account.id)}>{said.toSettings}</ButtonLink>
              </section>
            )}
            {loaded.way !== undefined && <PrivateNotice way={loaded.way} asked={asked} />}
            <Picture loaded={loaded} asked={asked} />
            <Form
              {...rows}
              action={paths.eventPage(event.id)}
              submit={texts.page.save}
              leave={paths.event(event.id)}
            >
              <FieldGroup {...rows} legend={said.place} names={['address', 'online_url']} />
              <FieldRows {...rows} names={['contact_email', 'terms']} />
              <FieldGroup
                {...rows}
                legend={said.names}
                names={['names_locked_at']}
                help={said.namesHelp(event.timezone)}
              />
              <FieldGroup
                {...rows}
                legend={said.cancelling}
                names={['cancel_until', 'cancel_refund_basis_points']}
                help={said.cancelHelp(event.timezone)}
                side
              />
              <FieldGroup
                {...rows}
                legend={said.paying}
                names={['payment_ways', 'payment_days', 'withdrawal_excluded']}
              />
              <FieldGroup {...rows} legend={said.waiting} names={['waitlist_mode', 'waitlist_hours']} />
              <FieldGroup {...rows} legend={said.reminding} names={['reminder']} />
            </Form>
          </div>
        </>
      ),
    }
  },
  act: (tx, { account, event }, { changes }) => events.update(tx, account.id, event.id, changes),
  entry: ({ event }) => ({ action: 'event.update', targetType: 'event', targetId: event.id }),
  next: ({ id, title }) => ({ path: paths.eventPage(id), flash: flash('eventSaved', { title }) }),
})

function valuesOf({ event }: Loaded): ValuesOf<typeof fields> {
  const at = (instant: string | null) => (instant === null ? null : Date.parse(instant))
  return { ...event, names_locked_at: at(event.names_locked_at), cancel_until: at(event.cancel_until) }
}

function Picture({ loaded: { slug, event, picture }, asked }: { loaded: Loaded; asked: OfEvent }) {
  const { eventPage: texts } = asked.voice.texts
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
