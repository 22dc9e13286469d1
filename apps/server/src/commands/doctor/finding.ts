/** `not asked`: it can't be known, or was not requested. */
type Grade = 'ok' | 'warning' | 'problem' | 'not asked'

export interface Finding {
  grade: Grade
  text: string
  todo?: string
}

export interface Group {
  title: string
  findings: Finding[]
}

export const ok = (text: string): Finding => ({ grade: 'ok', text })
export const notAsked = (text: string, todo?: string): Finding => withTodo('not asked', text, todo)
export const warning = (text: string, todo?: string): Finding => withTodo('warning', text, todo)
export const problem = (text: string, todo: string): Finding => ({ grade: 'problem', text, todo })

function withTodo(grade: Grade, text: string, todo: string | undefined): Finding {
  return todo === undefined ? { grade, text } : { grade, text, todo }
}

export function listTodo(groups: Group[]): string[] {
  const found = groups.flatMap(({ findings }) => findings.flatMap(({ todo }) => todo ?? []))
  return [...new Set(found)]
}

const GRADE_WIDTH = 'not asked'.length

export function renderReport(groups: Group[]): string {
  const parts = groups.map(({ title, findings }) =>
    [title, ...findings.map(({ grade, text }) => `  ${grade.padEnd(GRADE_WIDTH)}  ${text}`)].join('\n'),
  )
  const todo = listTodo(groups)
  const end =
    todo.length === 0
      ? 'There is nothing to do.'
      : ['What to do', ...todo.map((step, index) => `  ${index + 1}. ${step}`)].join('\n')
  return [...parts, end].join('\n\n')
}
