import type { ComponentChildren } from 'preact'
import { Icon } from '../web/components/icon.tsx'
import { Banner, PostButton } from '../web/components/parts.tsx'
import { Document } from '../web/document.tsx'
import { type Flash, tellFlash } from '../web/flash.ts'
import type { Voice } from '../web/voice.ts'
import type { Asked, Level, OfAccount, OfEvent, OfUser } from './asked.ts'
import { EventStatus } from './event-status.tsx'
import { type NavigationLink, navigationFor } from './navigation.ts'
import type { View } from './page.ts'
import { paths } from './paths.ts'

interface LayoutProps {
  level: Level
  /** The declared path of the page: what the navigation shows as the current place. */
  path: string
  asked: Asked
  view: View
}

/** Links that a phone shows below; the others are behind More. */
const SHOWN_ON_PHONE = 4

/** What every page of the dashboard stands in: a bar with whose and what it is about, and the navigation. */
export function Layout({ level, path, asked, view }: LayoutProps) {
  const { voice, flash } = asked
  const { texts, format } = voice
  const place = placeOf(level, asked)
  // What has just happened comes first, for those to whom pages are read.
  const told = flash === undefined ? [] : [tellFlash(texts, flash)]
  const links = level === 'account' || level === 'event' ? navigationFor(level, path, asked as OfAccount) : []
  return (
    <Document
      language={format.language}
      title={[...told, view.title, ...place.names, texts.page.product]}
      style={view.style}
      refresh={view.refresh}
    >
      <Bar level={level} asked={asked} />
      {links.length > 0 && <Navigation links={links} voice={voice} label={place.label} />}
      <main id="content" tabindex={-1} class={level === 'public' ? 'narrow' : undefined}>
        {flash !== undefined && (view.told ?? <FlashBanner flash={flash} voice={voice} />)}
        {view.body}
      </main>
    </Document>
  )
}

function placeOf(level: Level, asked: Asked): { names: string[]; label: string } {
  const { navigation } = asked.voice.texts
  if (level === 'event') return { names: [(asked as OfEvent).event.title], label: navigation.event }
  if (level === 'account') return { names: [(asked as OfAccount).account.name], label: navigation.account }
  return { names: [], label: '' }
}

function FlashBanner({ flash, voice: { texts } }: { flash: Flash; voice: Voice }) {
  const undo = flash.undo !== undefined && <PostButton action={flash.undo}>{texts.page.undo}</PostButton>
  return (
    <Banner tone={flash.tone} action={undo}>
      <p>
        <bdi>{tellFlash(texts, flash)}</bdi>
      </p>
    </Banner>
  )
}

function Bar({ level, asked }: { level: Level; asked: Asked }) {
  const { texts } = asked.voice
  return (
    <header class="bar">
      <a class="hidden button" href="#content">
        {texts.page.skip}
      </a>
      <Whereabouts level={level} asked={asked} />
      {level !== 'public' && <OwnLink user={(asked as OfUser).user} texts={texts} />}
    </header>
  )
}

function Whereabouts({ level, asked }: { level: Level; asked: Asked }): ComponentChildren {
  if (level === 'event') {
    const { event, account, voice } = asked as OfEvent
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
    const { account } = asked as OfAccount
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
      <b>{asked.voice.texts.page.product}</b>
    </a>
  )
}

function OwnLink({ user, texts }: Pick<OfUser, 'user'> & Pick<Voice, 'texts'>) {
  return (
    <a class="end" href={paths.profile} aria-label={texts.page.yourAccount(user.name)}>
      <Icon name="person" />
    </a>
  )
}

/** Beside the page in a wide window; below it on a phone, which has room for four links and More. */
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
