import type { BoundedWork, Call, TaskOf } from '../bounded/bounded-work.ts'
import { WorkRefused } from '../bounded/work-refused.ts'
import { escapeHtml } from '../http/html.ts'

export interface MailMessage {
  subject: string
  paragraphs: string[]
  /** As a model wrote it; may be empty. */
  markdown: string
  links: MailLink[]
}

interface MailLink {
  label: string
  href: string
}

/** The rest is a click away; large mails are cut or refused on their way. */
const MARKDOWN_MAX = 200_000

const MARKDOWN: TaskOf<typeof import('./markdown-task.ts')> = {
  module: new URL('./markdown-task.ts', import.meta.url),
  what: 'Laying out the result',
  limitMs: 2_000,
  sizeOf: (markdown) => markdown.length,
  sizeMax: 2 * MARKDOWN_MAX,
}
/** A mail of more than this is refused on its way. */
const HTML_MAX = 2_000_000

export interface RenderedMessage {
  subject: string
  text: string
  html: string
}

const STYLE = `
body { margin: 0; padding: 24px 16px; background: #ffffff; color: #1c1c1f; font: 15px/1.6 -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; }
main { max-width: 640px; margin: 0 auto; }
article { margin: 20px 0; padding: 4px 20px; border: 1px solid #e3e3e6; border-radius: 8px; overflow-wrap: anywhere; }
a { color: #2f5bd8; }
pre { padding: 12px; background: #f4f4f6; border-radius: 6px; overflow-x: auto; white-space: pre-wrap; }
code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 13px; }
table { border-collapse: collapse; }
th, td { padding: 4px 10px; border: 1px solid #e3e3e6; text-align: left; text-align: start; }
blockquote { margin: 0; padding-left: 14px; border-left: 3px solid #e3e3e6; color: #5c5c66; }
blockquote[dir=rtl] { padding: 0 14px 0 0; border-right: 3px solid #e3e3e6; border-left: 0; }
.raw { white-space: pre-wrap; }
footer { margin-top: 24px; color: #5c5c66; font-size: 13px; }
`

/** Renders both forms, each complete: no part is fetched from anywhere. */
export async function renderMessage(
  { subject, paragraphs, markdown, links }: MailMessage,
  { bounded, ...call }: Call & { bounded: BoundedWork },
): Promise<RenderedMessage> {
  const body = clip(markdown)
  const texts = [...paragraphs, body.trim(), ...links.map(({ label, href }) => `${label}: ${href}`)]
  const intro = paragraphs.map((paragraph) => `<p dir="auto">${escapeHtml(paragraph)}</p>`)
  const article = body.trim() === '' ? '' : `<article>${await layOut(body)}</article>`
  const actions = links.map(({ label, href }) => `<a href="${escapeHtml(href)}">${escapeHtml(label)}</a>`)
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>${STYLE}</style></head>
<body><main>${intro.join('')}${article}<footer>${actions.join(' · ')}</footer></main></body>
</html>
`
  return { subject, text: `${texts.filter((part) => part !== '').join('\n\n')}\n`, html }

  /** As plain text if it can't be rendered in time. */
  async function layOut(source: string): Promise<string> {
    try {
      const laidOut = await bounded.open(call).run(MARKDOWN, source)
      if (laidOut.length <= HTML_MAX) return laidOut
    } catch (error) {
      if (!(error instanceof WorkRefused) || error.why === 'left') throw error
    }
    return `<pre>${escapeHtml(source)}</pre>`
  }
}

function clip(markdown: string): string {
  if (markdown.length <= MARKDOWN_MAX) return markdown
  return `${markdown.slice(0, MARKDOWN_MAX)}\n\n… (cut here: the run has all of it)`
}
