import {
  CircleAlertIcon,
  CircleCheckIcon,
  EyeIcon,
  Maximize2Icon,
  Minimize2Icon,
  WrenchIcon,
} from 'lucide-react'
import { type ReactNode, type RefObject, Suspense, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { cn } from '../../lib/utils.ts'
import './content-viewer.css'
import { CopyAsMenu } from '../copy/copy-as-menu.tsx'
import { CopyAnswerButton, CopyButton } from '../copy/copy-button.tsx'
import { plainTextOf } from '../copy/plain-text-of.ts'
import { part } from '../part.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { type DetectedContent, detectContent } from './content-viewer-detect.ts'
import { SourceText } from './content-viewer-plain.tsx'
import type { JsonAnswer } from './json-answer.ts'

const MarkdownView = part(() => import('./content-viewer-markdown.tsx'))
const CodeView = part(() => import('./content-viewer-code.tsx'))
const PreviewView = part(() => import('./content-viewer-preview.tsx'))
const JsonView = part(() => import('./content-viewer-json.tsx'))
const HtmlView = part(() => import('./content-viewer-html.tsx'))

export type ContentView = 'rendered' | 'source'

export interface ContentViewerProps {
  title: string
  content: string
  view?: ContentView
  isWriting?: boolean
  bare?: boolean
  /** The answer of a run: its state stands above it, and what can be done with it below. */
  frame?: { head: ReactNode; foot: ReactNode } | undefined
  limit?: string
  className?: string
  tools?: ReactNode
  answer?: JsonAnswer | undefined
  foot?: ReactNode
}

export function ContentViewer({
  title,
  content,
  view = 'rendered',
  isWriting = false,
  bare = false,
  frame,
  limit = 'max-h-[400px]',
  className,
  tools,
  answer,
  foot,
}: ContentViewerProps) {
  const [isExpanded, setIsExpanded] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  const [isPreviewed, setIsPreviewed] = useState(false)
  const json = isWriting ? undefined : answer
  // What is known to be JSON needs no look at all of it here.
  const isKnown = json !== undefined
  const detected = useMemo<DetectedContent>(
    () => (isKnown ? { kind: 'text' } : detectContent({ text: content, isWriting })),
    [content, isWriting, isKnown],
  )
  const page = view === 'rendered' && detected.kind === 'html' ? detected.text : null
  const isLimited = !isExpanded && !bare
  const isMarkdown = detected.kind === 'text' && !isKnown && !isWriting && view === 'rendered'
  useScrollable({ body, isLimited, followed: isWriting ? content : null })
  const previewButton = page !== null && (
    <Button
      variant="ghost"
      size="sm"
      aria-pressed={isPreviewed}
      onClick={() => setIsPreviewed(!isPreviewed)}
      className="aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
    >
      <EyeIcon />
      Preview
    </Button>
  )
  const copyAs = isMarkdown && (
    <CopyAsMenu markdown={content} plain={() => (body.current ? plainTextOf(body.current) : content)} />
  )
  const expandButton = (
    <Button variant="ghost" size="sm" aria-expanded={isExpanded} onClick={() => setIsExpanded(!isExpanded)}>
      {isExpanded ? <Minimize2Icon /> : <Maximize2Icon />}
      <span className={frame ? 'sr-only' : '@max-lg:sr-only'}>{isExpanded ? 'Collapse' : 'Expand'}</span>
    </Button>
  )
  return (
    <figure
      aria-label={title}
      className={cn('min-w-0 overflow-hidden rounded-card border border-line bg-surface', className)}
    >
      {frame && (
        <figcaption className="flex min-h-12 flex-wrap items-center gap-2 border-b border-line py-1.5 pr-2.5 pl-3.5">
          {frame.head}
          {json && <JsonMarks answer={json} />}
        </figcaption>
      )}
      {!bare && !frame && (
        <figcaption className="@container flex min-h-11 items-center gap-1 border-b border-line py-1 pr-2 pl-3.5">
          <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
            <span className="min-w-0 truncate text-sm font-semibold">{title}</span>
            {json && <JsonMarks answer={json} />}
          </span>
          {previewButton}
          {tools}
          <CopyButton text={content} showLabel />
          {copyAs}
          {expandButton}
        </figcaption>
      )}
      {bare && previewButton && <div className="flex justify-end px-2 pt-2">{previewButton}</div>}
      <div
        ref={body}
        className={cn(
          'px-4 py-3.5 outline-offset-[-3px]',
          isLimited && cn(limit, 'overflow-auto'),
          page !== null && isPreviewed && 'max-h-none overflow-hidden p-0',
        )}
      >
        {json && bare && (
          <div className="mb-2 flex flex-wrap gap-1.5">
            <JsonMarks answer={json} />
          </div>
        )}
        {json && <JsonProblems answer={json} />}
        {page !== null && isPreviewed ? (
          <Suspense>
            <PreviewView html={page} title={title} isExpanded={isExpanded || bare} />
          </Suspense>
        ) : (
          <Body content={content} detected={detected} view={view} isWriting={isWriting} json={json} />
        )}
      </div>
      {foot && <div className="border-t border-line">{foot}</div>}
      {frame && (
        <div className="@container flex min-h-11 items-center gap-1 border-t border-line py-1 pr-2 pl-1.5">
          <CopyAnswerButton text={content} />
          {copyAs}
          {tools}
          <div className="ml-auto flex items-center gap-1">
            {previewButton}
            {frame.foot}
            {expandButton}
          </div>
        </div>
      )}
    </figure>
  )
}

interface BodyProps extends Required<Pick<ContentViewerProps, 'content' | 'view' | 'isWriting'>> {
  detected: DetectedContent
  json: JsonAnswer | undefined
}

function Body({ content, detected, view, isWriting, json }: BodyProps) {
  const source = <SourceText text={content} isWriting={isWriting} />
  if (view === 'source') return source
  if (json) {
    return (
      <Suspense fallback={source}>
        <JsonView text={content} answer={json} />
      </Suspense>
    )
  }
  return (
    <Suspense fallback={source}>
      {detected.kind === 'text' && <MarkdownView text={content} isWriting={isWriting} />}
      {detected.kind === 'html' && <HtmlView html={detected.text} />}
      {detected.kind === 'code' && (
        <CodeView code={detected.text} language={detected.language} isWriting={isWriting} />
      )}
    </Suspense>
  )
}

/** A part that scrolls can be reached by keyboard; one that is being written stays at its end unless scrolled up. */
function useScrollable({
  body,
  isLimited,
  followed,
}: {
  body: RefObject<HTMLDivElement | null>
  isLimited: boolean
  followed: string | null
}) {
  const atEnd = useRef(true)
  useLayoutEffect(() => {
    const element = body.current
    if (!element) return
    if (isLimited) element.tabIndex = 0
    else element.removeAttribute('tabindex')
    const note = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 24
    }
    element.addEventListener('scroll', note, { passive: true })
    return () => element.removeEventListener('scroll', note)
  }, [body, isLimited])
  useLayoutEffect(() => {
    const element = body.current
    if (element && followed !== null && isLimited && atEnd.current) element.scrollTop = element.scrollHeight
  }, [body, isLimited, followed])
}

function JsonMarks({ answer: { isValid, isRepaired, repairs } }: { answer: JsonAnswer }) {
  return (
    <>
      {isValid ? (
        <Badge variant="ok">
          <CircleCheckIcon />
          Valid
        </Badge>
      ) : (
        <Badge variant="danger">
          <CircleAlertIcon />
          Not valid
        </Badge>
      )}
      {isRepaired && (
        <Badge variant="warn">
          <WrenchIcon />
          {repairedWords(repairs.length)}
        </Badge>
      )}
    </>
  )
}

function repairedWords(fields: number): string {
  if (fields === 0) return 'repaired'
  return `${fields} ${fields === 1 ? 'field' : 'fields'} repaired`
}

function JsonProblems({ answer: { isValid, problems } }: { answer: JsonAnswer }) {
  if (isValid || problems.length === 0) return null
  return (
    <ul aria-label="Schema mismatches" className="mb-2 grid gap-0.5 text-sm text-danger">
      {problems.map(({ path, message }) => (
        <li key={`${path} ${message}`} className="wrap-anywhere">
          {path !== '' && <span className="mr-1.5 font-mono text-xs">{path}</span>}
          {message}
        </li>
      ))}
    </ul>
  )
}
