import type { ComponentChildren } from 'preact'
import { isSeen } from '#faces/dashboard/frame/navigation.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { toSetting } from '#faces/dashboard/frame/way-back.ts'
import { OF_PAYMENTS } from '#faces/dashboard/selling/payments.tsx'
import { ButtonLink, PostButton } from '#machinery/web/components/parts.tsx'
import { may } from '#product/administration/users/roles.ts'
import type { Missing } from '#product/catalog/events/rules.ts'
import { mayCost } from '#product/catalog/registration-types/sellability.ts'
import { canSell, type Remedy, type Sellable, type TypeState } from '#product/selling/sellability/rules.ts'

interface ChecklistProps {
  /** What the draft lacks to be published. */
  missing: readonly Missing[]
  sellable: Sellable
  request: EventRequest
}

/** Lists what is left to do before an event is published. */
export function Checklist({ missing, sellable, request }: ChecklistProps) {
  const { account, event, member, voice } = request
  const { overview: texts } = voice.texts
  const mayEdit = may(member.role, 'events.edit')
  // Only members who have all events may change the settings of the organization.
  const maySet = mayEdit && member.event_ids === null
  const isPaid = sellable.types.some(type => type.state !== 'off' && mayCost(type))
  const unpayable = unpayableOf(sellable)
  const lacks = (what: Missing) => missing.includes(what)
  const here = paths.event(event.id)
  const [settings, legal] = [paths.accountSettings(account.id), paths.accountSettings(account.id, 'legal')]
  const steps: StepProps[] = [
    {
      text: texts.stepDate,
      done: !lacks('starts_at'),
      action: mayEdit && (
        <ButtonLink href={toSetting(paths.eventSettings(event.id), 'starts_at', here)}>
          {texts.setDate}
        </ButtonLink>
      ),
    },
    {
      text: texts.stepTickets,
      done: !lacks('registration_types') && canSell(sellable),
      action: mayEdit && <ButtonLink href={paths.tickets(event.id)}>{texts.addTicket}</ButtonLink>,
    },
    {
      text: texts.stepSlug,
      done: !lacks('slug'),
      action: maySet && <ButtonLink href={toSetting(settings, 'slug', here)}>{texts.chooseSlug}</ButtonLink>,
    },
  ]
  if (isPaid) {
    steps.push({
      text: texts.stepSeller,
      done: !lacks('seller'),
      action: maySet && <ButtonLink href={toSetting(legal, 'legal_name', here)}>{texts.addLegal}</ButtonLink>,
    })
    steps.push({
      text: unpayable.length === 0 ? texts.stepPay : <NobodyCanPay types={unpayable} request={request} />,
      done: unpayable.length === 0,
      action: <Remedies sellable={sellable} request={request} />,
    })
  }
  return (
    <Steps id="checklist" title={texts.checklist}>
      {steps.map((step, at) => (
        <Step key={`${at}`} {...step} />
      ))}
      {mayEdit && steps.every(({ done }) => done) && <li>{texts.ready}</li>}
    </Steps>
  )
}

/** Tells that a published event sells something which nobody can pay, and what to do. It renders nothing if all can be paid. */
export function UnpayableNote({ sellable, request }: Omit<ChecklistProps, 'missing'>) {
  const unpayable = unpayableOf(sellable)
  if (unpayable.length === 0 || !may(request.member.role, 'events.edit')) return null
  return (
    <Steps id="unpayable" title={request.voice.texts.overview.unpayable}>
      <Step
        text={<NobodyCanPay types={unpayable} request={request} />}
        done={false}
        action={<Remedies sellable={sellable} request={request} />}
      />
    </Steps>
  )
}

function unpayableOf({ types }: Sellable): TypeState[] {
  return types.filter(({ state }) => state === 'no_way_to_pay')
}

function NobodyCanPay({ types, request }: { types: readonly TypeState[]; request: EventRequest }) {
  const { texts, format } = request.voice
  return <bdi>{texts.overview.nobodyCanPay(format.list(types.map(({ name }) => name)))}</bdi>
}

/** Shows a button for each change that lets people pay. While payment is only stopped, there is nothing to change here. */
function Remedies({
  sellable: { remedies, isPaused },
  request,
}: {
  sellable: Sellable
  request: EventRequest
}) {
  const { account, event, member, voice } = request
  const { overview: texts } = voice.texts
  const maySetUp = isSeen(OF_PAYMENTS, request)
  if (isPaused) return <span class="small quiet">{texts.payPaused}</span>
  const here = paths.event(event.id)
  const links: Partial<Record<Remedy, string>> = {
    stripe: toSetting(paths.stripe(account.id), 'key', here),
    transfer: toSetting(paths.bank(account.id), 'holder', here),
  }
  return (
    <span class="row">
      {remedies.map(remedy => {
        const href = links[remedy]
        if (href !== undefined) {
          return (
            maySetUp && (
              <ButtonLink key={remedy} href={href}>
                {texts.remedies[remedy]}
              </ButtonLink>
            )
          )
        }
        return (
          may(member.role, 'events.edit') && (
            <PostButton key={remedy} action={paths.payEvent(event.id)} fields={{ by: remedy }}>
              {texts.remedies[remedy]}
            </PostButton>
          )
        )
      })}
    </span>
  )
}

/** Shows the next steps of a published event without any sold ticket. */
export function Next({ request }: { request: EventRequest }) {
  const { event, member, voice } = request
  const { overview, guests, navigation } = voice.texts
  if (!may(member.role, 'guests.edit')) return null
  return (
    <Steps id="next" title={overview.next}>
      <Step
        text={overview.stepGuests}
        done={false}
        action={<ButtonLink href={paths.importGuests(event.id)}>{guests.import}</ButtonLink>}
      />
      <Step
        text={overview.stepDoor}
        done={false}
        action={<ButtonLink href={paths.checkIn(event.id)}>{navigation.checkIn}</ButtonLink>}
      />
    </Steps>
  )
}

interface StepProps {
  text: ComponentChildren
  done: boolean
  /** What does the step. It is shown until the step is done. */
  action: ComponentChildren
}

function Step({ text, done, action }: StepProps) {
  return (
    <li>
      <span>
        {done ? '✓ ' : ''}
        {text}
      </span>
      {!done && action}
    </li>
  )
}

function Steps({ id, title, children }: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul class="todo">{children}</ul>
    </section>
  )
}
