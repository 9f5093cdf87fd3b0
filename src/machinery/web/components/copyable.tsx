import type { Texts } from '../texts/texts.ts'

/** One text to be taken along as it is: by the button, or by hand where there is no script. */
export function Copyable({ label, text, texts }: { label: string; text: string; texts: Texts }) {
  return (
    <div class="copyable">
      <input type="text" readonly aria-label={label} value={text} dir="ltr" />
      <CopyButton text={text} texts={texts} />
    </div>
  )
}

/** Hidden without the script. */
export function CopyButton({ text, texts }: { text: string; texts: Texts }) {
  return (
    <button type="button" class="button" hidden data-copy={text} data-done={texts.page.copied}>
      {texts.page.copy}
    </button>
  )
}
