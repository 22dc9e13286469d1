import type { Assertion } from '@catenary/contracts'
import { renderTemplate } from '../template/render.ts'

const RENDERED_MAX = 1_000_000
const METRIC_RENDERED_MAX = 1_000

/** With the case's values; objects stay as they are, as in promptfoo. Throws `TemplateTooLongError`. */
export function renderAssertion<Each extends Assertion>(
  assertion: Each,
  values: Readonly<Record<string, string>>,
): Each {
  let left = RENDERED_MAX
  const render = (source: string) => {
    const { text } = renderTemplate({ source, variables: values, maxLength: left })
    left -= text.length
    return text
  }
  const renderValue = (value: unknown): unknown => {
    if (typeof value === 'string') return render(value)
    return Array.isArray(value)
      ? value.map((each) => (typeof each === 'string' ? render(each) : each))
      : value
  }
  const rendered: Each = { ...assertion }
  if ('value' in rendered) rendered.value = renderValue(rendered.value) as typeof rendered.value
  if (rendered.metric !== undefined) {
    const { metric: source } = rendered
    rendered.metric = renderTemplate({ source, variables: values, maxLength: METRIC_RENDERED_MAX }).text
  }
  return rendered
}
