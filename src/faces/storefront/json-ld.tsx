/**
 * Adds data for search engines (JSON-LD), which no browser runs. In JSON with each `<` escaped, nothing can end the element or
 * begin a comment in it.
 */
export function JsonLd({ data }: { data: object }) {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
}
