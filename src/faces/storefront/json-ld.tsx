/**
 * Data for search engines (JSON-LD), which no browser runs. JSON with each `<` escaped cannot end the element that it is in, nor
 * begin a comment there.
 */
export function JsonLd({ data }: { data: object }) {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
}
