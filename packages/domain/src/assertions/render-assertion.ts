import type { Assertion } from '@catenary/contracts'
import { renderTemplate } from '../template/render.ts'

/** The assertion with the case's values in place of its references; objects stay as they are, as in promptfoo. */
export function renderAssertion<Each extends Assertion>(
  assertion: Each,
  values: Readonly<Record<string, string>>,
): Each {
  const render = (text: string) => renderTemplate({ source: text, variables: values }).text
  const renderValue = (value: unknown): unknown => {
    if (typeof value === 'string') return render(value)
    return Array.isArray(value)
      ? value.map((each) => (typeof each === 'string' ? render(each) : each))
      : value
  }
  const rendered: Each = { ...assertion }
  if ('value' in rendered) rendered.value = renderValue(rendered.value) as typeof rendered.value
  if (rendered.metric !== undefined) rendered.metric = render(rendered.metric)
  return rendered
}
