import type { Texts } from '#texts/texts.ts'

/** A text to copy as it is: by the button, or by hand if there is no script. */
export function Copyable({ label, text, texts }: { label: string; text: string; texts: Texts }) {
  return (
    <div class="copyable">
      <input type="text" readonly aria-label={label} value={text} dir="ltr" />
      <CopyButton text={text} texts={texts} />
    </div>
  )
}

/** A button that copies a text. It is hidden without the script. */
export function CopyButton({ text, texts }: { text: string; texts: Texts }) {
  return (
    <button type="button" class="button" hidden data-copy={text} data-done={texts.page.copied}>
      {texts.page.copy}
    </button>
  )
}
