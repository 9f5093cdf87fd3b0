import { Banner } from '#machinery/web/components/parts.tsx'
import type { Texts } from '#texts/texts.ts'

/** These names of hosts mean the machine that says them: on any other they lead to that other. */
const OWN_NAMES = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Says that an address opens on this machine alone, before somebody passes it on. It renders nothing for any other address. */
export function OnlyHereNote({ url, texts }: { url: string; texts: Texts }) {
  if (!OWN_NAMES.test(new URL(url).hostname)) return null
  return (
    <Banner tone="warn">
      <p>{texts.share.onlyHere}</p>
    </Banner>
  )
}
