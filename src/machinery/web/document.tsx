import type { ComponentChildren } from 'preact'
import { assetPath } from './assets/assets.ts'
import type { Language } from './texts/languages.ts'

export interface DocumentProps {
  language: Language
  /** Of the window: the page, then where it belongs to. */
  title: readonly string[]
  /** A file of styles beside that of all pages. */
  style?: string | undefined
  /** Refreshes a page without the script, in seconds. */
  refresh?: number | undefined
  children: ComponentChildren
}

/** What every page is in. */
export function Document({ language, title, style, refresh, children }: DocumentProps) {
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <title>{title.join(' · ')}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={assetPath('style.css')} />
        {style !== undefined && <link rel="stylesheet" href={assetPath(style)} />}
        {refresh !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={String(refresh)} />
          </noscript>
        )}
        <script src={assetPath('enhance.js')} defer />
      </head>
      <body>{children}</body>
    </html>
  )
}
