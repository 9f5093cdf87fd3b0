import type { ComponentChildren } from 'preact'
import type { Tone } from '../flash.ts'
import type { Instant } from '../format.ts'
import { mailLink } from '../link.ts'
import type { Voice } from '../voice.ts'
import { Icon, type IconName } from './icon.tsx'
import { Offered } from './offered.tsx'

/** This file has the small parts of which all pages are made. The text of people is inside `bdi`, whichever way it is written. */

/** Shows a state. A shape and a word tell it, and a colour repeats it. */
export function Pill({ tone, children }: { tone: Tone | 'off' | undefined; children: ComponentChildren }) {
  const shape = tone === 'warn' ? 'wait' : tone
  return <span class={shape === undefined ? 'pill' : `pill ${shape}`}>{children}</span>
}

export function Time({ at, format, short }: { at: Instant; short?: boolean } & Pick<Voice, 'format'>) {
  return <time datetime={new Date(at).toISOString()}>{short ? format.dayTime(at) : format.dateTime(at)}</time>
}

export function Money({
  amount,
  currency,
  format,
}: { amount: number; currency: string } & Pick<Voice, 'format'>) {
  return <span class="whole">{format.money(amount, currency)}</span>
}

export function Mail({ address }: { address: string }) {
  return (
    <a href={mailLink(address)}>
      <bdi>{address}</bdi>
    </a>
  )
}

/** Shows what has happened, or what is wrong. */
export function Banner({
  tone,
  children,
  action,
}: {
  tone: Tone
  children: ComponentChildren
  action?: ComponentChildren
}) {
  return (
    <div class={`banner ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <div>{children}</div>
      {action}
    </div>
  )
}

export interface HeadProps {
  title: ComponentChildren
  crumbs?: ComponentChildren
  pill?: ComponentChildren
  about?: ComponentChildren
  /** The buttons. At most one of them is the main one. */
  actions?: ComponentChildren
}

/** Shows the head of a page. */
export function Head({ title, crumbs, pill, about, actions }: HeadProps) {
  return (
    <header class="head">
      {crumbs !== undefined && <p class="crumbs">{crumbs}</p>}
      <div class="title">
        <h1>{title}</h1>
        {pill}
      </div>
      {about !== undefined && <p class="quiet">{about}</p>}
      {actions !== undefined && actions !== false && <div class="actions">{actions}</div>}
    </header>
  )
}

/** Shows a link to something by the name that people have given it. */
export function NamedLink({ href, name }: { href: string; name: string }) {
  return (
    <a href={href}>
      <bdi>{name}</bdi>
    </a>
  )
}

/** Shows a link that looks like a button. One that leads to a page that asks before it destroys something is red. */
export function ButtonLink({
  href,
  label,
  main,
  isDestructive,
  children,
}: {
  href: string
  /** Its name for those who do not see what stands around it. */
  label?: string
  main?: boolean
  isDestructive?: boolean
  children: ComponentChildren
}) {
  return (
    <Offered address={href}>
      <a
        class={main ? 'button main' : isDestructive ? 'button destructive' : 'button'}
        href={href}
        aria-label={label}
      >
        {children}
      </a>
    </Offered>
  )
}

/** Shows a button that does something at once. The action is reversible, or leads to a page that asks. */
export function PostButton({
  action,
  fields = {},
  tone,
  label,
  children,
}: {
  action: string
  fields?: Readonly<Record<string, string>>
  tone?: 'main' | 'danger' | 'plain' | undefined
  /** The name for people who hear the button among many with the same text. */
  label?: string
  children: ComponentChildren
}) {
  return (
    <Offered address={action}>
      <form method="post" action={action}>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button type="submit" class={tone === undefined ? 'button' : `button ${tone}`} aria-label={label}>
          {children}
        </button>
      </form>
    </Offered>
  )
}

/** Shows a button that copies a text. It is hidden without the script. */
export function CopyButton({ text, label, texts }: { text: string; label?: string } & Pick<Voice, 'texts'>) {
  return (
    <button
      type="button"
      class="button"
      hidden
      data-copy={text}
      data-done={texts.page.copied}
      aria-label={label}
    >
      {texts.page.copy}
    </button>
  )
}

/** Shows a text as it is in a message or a file. */
export function Preformatted({ text }: { text: string }) {
  return (
    <pre>
      <bdi>{text}</bdi>
    </pre>
  )
}

/** Shows how far a long work is. If nobody knows the total, it shows only that the work goes on. */
export function Progress({ label, done, total }: { label: string; done: number; total: number | null }) {
  return total === null || total <= 0 ? (
    <progress aria-label={label} />
  ) : (
    <progress aria-label={label} value={Math.min(done, total)} max={total} />
  )
}

/** Shows a list without rows: what it is, and one thing to do. */
export function Empty({
  icon,
  title,
  children,
  action,
}: {
  icon: IconName
  title: string
  children?: ComponentChildren
  action?: ComponentChildren
}) {
  return (
    <div class="card empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children !== undefined && <p class="quiet">{children}</p>}
      {action !== undefined && action !== false && <div class="row">{action}</div>}
    </div>
  )
}

/** Shows names and values. */
export function Facts({
  facts,
}: {
  facts: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[]
}) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  )
}

export interface StatProps {
  name: string
  value: ComponentChildren
  /** The smaller text beside the value: `of 400`. */
  of?: ComponentChildren
  about?: ComponentChildren
  /** A bar below the value. */
  meter?: { value: number; max: number; label: string }
}

/** Shows figures in a row. */
export function Stats({ stats, label }: { stats: readonly StatProps[]; label: string }) {
  return (
    <dl class="card stats" aria-label={label}>
      {stats.map(({ name, value, of, about, meter }) => (
        <div class="stat" key={name}>
          <dt>{name}</dt>
          <dd>
            {value} {of !== undefined && <span class="small quiet">{of}</span>}
          </dd>
          {about !== undefined && <dd>{about}</dd>}
          {meter !== undefined && (
            <dd>
              <meter value={meter.value} max={Math.max(meter.max, 1)} aria-label={meter.label} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

export interface TabProps {
  href: string
  text: string
  isCurrent: boolean
  count?: string | undefined
}

/** Shows tabs. They are links, and the current one is marked. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly TabProps[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, text, isCurrent, count }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {text} {count !== undefined && <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  )
}

/**
 * Shows a part of a page that renews itself every `every` seconds. Without the script, or once `every` is missing, it stays as it
 * is.
 */
export function Live({
  id,
  every,
  children,
}: {
  id: string
  every: number | undefined
  children: ComponentChildren
}) {
  return (
    <div id={id} class="stack" data-live={every === undefined ? undefined : String(every)}>
      {children}
    </div>
  )
}
