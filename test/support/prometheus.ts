export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

const HELP = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/
const TYPE = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)$/
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?)|[+-]Inf|Nan)$/
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(?:,|$)/

/**
 * Reads the text format of Prometheus, version 0.0.4, strictly: every sample below the help and type of its metric, no
 * metric and no sample twice, and histograms whose buckets add up.
 *
 * @throws Error that says which line is something else
 */
export function readMetrics(text: string): Sample[] {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.')
  const samples: Sample[] = []
  const metrics = new Set<string>()
  const seen = new Set<string>()
  let metric = ''
  let helped = ''
  let type = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const fail = (what: string) => new Error(`${what}: ${line}`)
    if (line === '') continue
    const help = HELP.exec(line)
    const typed = TYPE.exec(line)
    if (help !== null) {
      helped = help[1] as string
    } else if (typed !== null) {
      metric = typed[1] as string
      type = typed[2] as string
      if (metric !== helped) throw fail('A type without its help')
      if (metrics.has(metric)) throw fail('A metric comes twice')
      metrics.add(metric)
    } else {
      const [, name = '', labelText = '', value = ''] = SAMPLE.exec(line) ?? []
      const own = type === 'histogram' ? /^(.*)_(bucket|sum|count)$/.exec(name)?.[1] : name
      if (name === '' || own !== metric) throw fail('No sample of the metric above it')
      const identity = line.slice(0, line.lastIndexOf(' '))
      if (seen.has(identity)) throw fail('A sample comes twice')
      seen.add(identity)
      if (type === 'counter' && !(Number(value) >= 0)) throw fail('A counter below zero')
      samples.push({
        name,
        labels: readLabels(labelText, fail),
        value: Number(value.replace('Inf', 'Infinity')),
      })
    }
  }
  checkHistograms(samples)
  return samples
}

function readLabels(text: string, fail: (what: string) => Error): Record<string, string> {
  const labels: Record<string, string> = {}
  for (let rest = text; rest !== ''; ) {
    const found = LABEL.exec(rest)
    if (found === null || labels[found[1] as string] !== undefined) throw fail('Labels')
    labels[found[1] as string] = found[2] as string
    rest = rest.slice(found[0].length)
  }
  return labels
}

function checkHistograms(samples: Sample[]): void {
  const last = new Map<string, number>()
  for (const { name, labels, value } of samples) {
    const { le, ...others } = labels
    const key = name.replace(/_(bucket|count)$/, '') + JSON.stringify(others)
    if (name.endsWith('_bucket') && le !== undefined) {
      if (value < (last.get(key) ?? 0)) throw new Error(`The buckets of ${key} go down.`)
      last.set(key, value)
    } else if (name.endsWith('_count') && last.has(key) && last.get(key) !== value) {
      throw new Error(`The buckets of ${key} do not add up to ${value}.`)
    }
  }
}
