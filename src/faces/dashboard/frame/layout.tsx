import type { ComponentChildren } from 'preact'
import { EventStatus } from '#faces/dashboard/catalog/event-status.tsx'
import { Icon } from '#machinery/web/components/icon.tsx'
import { Banner, PostButton } from '#machinery/web/components/parts.tsx'
import { Document } from '#machinery/web/document.tsx'
import { describeFlash, type Flash } from '#machinery/web/flash.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { type NavigationLink, navigationFor } from './navigation.ts'
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

/** A phone shows this many links at its bottom. The others are behind More. */
const SHOWN_ON_PHONE = 4

/** Renders what every page of the dashboard stands in: a bar that names the account or event, and the navigation. */
export function Layout({ level, path, request, view }: LayoutProps) {
  const { voice, flash } = request
  const { texts, format } = voice
  const place = placeOf(level, request)
  // The flash comes first in the title, so that a screen reader reads it first.
  const told = flash === undefined ? [] : [describeFlash(texts, flash)]
  const links =
    level === 'account' || level === 'event' ? navigationFor(level, path, request as AccountRequest) : []
  return (
    <Document
      language={format.language}
      title={[...told, view.title, ...place.names, texts.page.product]}
      style={view.style}
      refresh={view.refresh}
    >
      <Bar level={level} request={request} />
      {links.length > 0 && <Navigation links={links} voice={voice} label={place.label} />}
      <main id="content" tabindex={-1} class={level === 'public' ? 'narrow' : undefined}>
        {flash !== undefined && (view.told ?? <FlashBanner flash={flash} voice={voice} />)}
        {view.body}
      </main>
    </Document>
  )
}

function placeOf(level: Level, request: PageRequest): { names: string[]; label: string } {
  const { navigation } = request.voice.texts
  if (level === 'event') return { names: [(request as EventRequest).event.title], label: navigation.event }
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
    const { event, account, voice } = request as EventRequest
    return (
      <>
        <a class="up" href={paths.events(account.id)} aria-label={voice.texts.navigation.allEvents}>
          <Icon name="up" />
        </a>
        <a class="event" href={paths.event(event.id)}>
          <bdi class="small quiet">{account.name}</bdi>
          <b>
            <bdi>{event.title}</bdi>
          </b>
        </a>
        <EventStatus status={event.status} texts={voice.texts} />
      </>
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

function OwnLink({ user, texts }: Pick<UserRequest, 'user'> & Pick<Voice, 'texts'>) {
  return (
    <a class="end" href={paths.profile} aria-label={texts.page.yourAccount(user.name)}>
      <Icon name="person" />
    </a>
  )
}

/** Stands beside the page in a wide window, and below it on a phone, which has room for four links and More. */
function Navigation({
  links,
  voice,
  label,
}: {
  links: readonly NavigationLink[]
  voice: Voice
  label: string
}) {
  const more = links.slice(SHOWN_ON_PHONE)
  return (
    <>
      <nav class="nav" aria-label={label}>
        <ul>
          {links.map((link, at) => (
            <li key={link.href} class={at < SHOWN_ON_PHONE ? undefined : 'wide'}>
              <NavigationItem link={link} />
            </li>
          ))}
          {more.length > 0 && (
            <li class="narrow">
              <button type="button" popovertarget="more">
                <Icon name="menu" />
                {voice.texts.page.more}
              </button>
            </li>
          )}
        </ul>
      </nav>
      {more.length > 0 && (
        <nav class="sheet" id="more" popover="auto" aria-label={voice.texts.page.more}>
          <ul>
            {more.map(link => (
              <li key={link.href}>
                <NavigationItem link={link} />
              </li>
            ))}
          </ul>
        </nav>
      )}
    </>
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
