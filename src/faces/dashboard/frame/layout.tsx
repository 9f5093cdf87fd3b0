import type { ComponentChildren } from 'preact'
import { EventStatus } from '#faces/dashboard/catalog/event-status.tsx'
import { Icon } from '#machinery/web/components/icon.tsx'
import { Offering } from '#machinery/web/components/offered.tsx'
import { Banner, PostButton } from '#machinery/web/components/parts.tsx'
import { Document } from '#machinery/web/document.tsx'
import { describeFlash, type Flash } from '#machinery/web/flash.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { type NavigationLink, type NavigationLinks, navigationFor } from './navigation.ts'
import type { View } from './page.ts'
import type { AccountRequest, EventRequest, Level, PageRequest, UserRequest } from './page-request.ts'
import { paths } from './paths.ts'

interface LayoutProps {
  level: Level
  /** The declared path of the page, which the navigation marks as the current place. */
  path: string
  request: PageRequest
  view: View
}

/** Renders what every page of the dashboard stands in: a bar that names the account or event, and the navigation. */
export function Layout({ level, path, request, view }: LayoutProps) {
  const { voice, flash } = request
  const { texts, format } = voice
  const place = placeOf(level, request)
  // The flash comes first in the title, so that a screen reader reads it first.
  const messages = flash === undefined ? [] : [describeFlash(texts, flash)]
  const links =
    level === 'account' || level === 'event'
      ? navigationFor(level, view.belongsTo ?? path, request as AccountRequest)
      : undefined
  return (
    <Document
      language={format.language}
      title={[...messages, view.title, ...place.names, texts.page.product]}
      style={view.style}
      refresh={view.refresh}
    >
      <Bar level={level} request={request} />
      {links !== undefined && <Navigation links={links} voice={voice} label={place.label} />}
      <main id="content" tabindex={-1} class={level === 'public' ? 'narrow' : undefined}>
        {level === 'event' && view.namesEvent !== true && <EventName request={request as EventRequest} />}
        {flash !== undefined && (view.verdict ?? <FlashBanner flash={flash} voice={voice} />)}
        <Offering.Provider value={request.offers}>{view.body}</Offering.Provider>
      </main>
    </Document>
  )
}

function placeOf(level: Level, request: PageRequest): { names: string[]; label: string } {
  const { navigation } = request.voice.texts
  if (level === 'event') {
    const names = [(request as EventRequest).event.title, dateInSeries(request as EventRequest)]
    return { names: names.filter(name => name !== undefined), label: navigation.event }
  }
  if (level === 'account')
    return { names: [(request as AccountRequest).account.name], label: navigation.account }
  return { names: [], label: '' }
}

function FlashBanner({ flash, voice: { texts } }: { flash: Flash; voice: Voice }) {
  const undo = flash.undo !== undefined && <PostButton action={flash.undo}>{texts.page.undo}</PostButton>
  return (
    <Banner tone={flash.tone} action={undo}>
      <p>
        <bdi>{describeFlash(texts, flash)}</bdi>
      </p>
    </Banner>
  )
}

function Bar({ level, request }: { level: Level; request: PageRequest }) {
  const { texts } = request.voice
  return (
    <header class="bar">
      <a class="hidden button" href="#content">
        {texts.page.skip}
      </a>
      <Whereabouts level={level} request={request} />
      {level !== 'public' && <OwnLink user={(request as UserRequest).user} texts={texts} />}
    </header>
  )
}

function Whereabouts({ level, request }: { level: Level; request: PageRequest }): ComponentChildren {
  if (level === 'event') {
    const { account, voice } = request as EventRequest
    return (
      <a
        class="event"
        href={paths.events(account.id)}
        aria-label={`${voice.texts.navigation.allEvents}: ${account.name}`}
      >
        <Icon name="up" />
        <b>
          <bdi>{account.name}</bdi>
        </b>
      </a>
    )
  }
  if (level === 'account') {
    const { account } = request as AccountRequest
    return (
      <a class="event" href={paths.events(account.id)}>
        <b>
          <bdi>{account.name}</bdi>
        </b>
      </a>
    )
  }
  return (
    <a class="event" href={paths.home}>
      <b>{request.voice.texts.page.product}</b>
    </a>
  )
}

/** Returns when an event of a series starts: its dates have the same name. */
function dateInSeries({ event, voice: { format } }: EventRequest): string | undefined {
  if (event.series_id === null || event.starts_at === null) return undefined
  return format.weekdayTime(event.starts_at)
}

/** Shows the whole name of the event above a page, in as many lines as it needs, and which date of a series it is. */
function EventName({ request }: { request: EventRequest }) {
  const { event, voice } = request
  const date = dateInSeries(request)
  return (
    <p class="of-event">
      <a href={paths.event(event.id)}>
        <bdi>{event.title}</bdi>
      </a>
      {date !== undefined && <span>{date}</span>}
      <EventStatus status={event.status} texts={voice.texts} />
    </p>
  )
}

function OwnLink({ user, texts }: Pick<UserRequest, 'user'> & Pick<Voice, 'texts'>) {
  return (
    <a class="end" href={paths.profile} aria-label={texts.page.yourAccount(user.name)}>
      <Icon name="person" />
    </a>
  )
}

/**
 * Stands beside the page in a wide window, and below it on a phone, which has room for four links and More. Each has a list of its
 * own, so that both are read in the order in which they are seen.
 */
function Navigation({
  links: { wide, phone, more },
  voice,
  label,
}: {
  links: NavigationLinks
  voice: Voice
  label: string
}) {
  return (
    <>
      <nav class="nav" aria-label={label}>
        <NavigationList links={wide} of="wide" />
        <NavigationList links={phone} of="narrow">
          {more.length > 0 && (
            <li>
              <button type="button" popovertarget="more">
                <Icon name="menu" />
                {voice.texts.page.more}
              </button>
            </li>
          )}
        </NavigationList>
      </nav>
      {more.length > 0 && (
        <nav class="sheet" id="more" popover="auto" aria-label={voice.texts.page.more}>
          <NavigationList links={more} />
        </nav>
      )}
    </>
  )
}

function NavigationList({
  links,
  of,
  children,
}: {
  links: readonly NavigationLink[]
  of?: 'wide' | 'narrow'
  children?: ComponentChildren
}) {
  return (
    <ul class={of}>
      {links.map(link => (
        <li key={link.href}>
          <NavigationItem link={link} />
        </li>
      ))}
      {children}
    </ul>
  )
}

function NavigationItem({ link: { href, icon, text, isCurrent } }: { link: NavigationLink }) {
  return (
    <a href={href} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={icon} />
      {text}
    </a>
  )
}
