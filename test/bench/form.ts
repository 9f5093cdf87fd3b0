/** Returns the hidden fields, which a page sends along with what is typed. */
export function hiddenOf(page: string): URLSearchParams {
  const fields = page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
  return new URLSearchParams(
    [...fields].map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]),
  )
}
