import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import { type ComponentProps, isValidElement, memo } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import { Link } from 'wouter'
import CodeView from '../../components/content-viewer/content-viewer-code.tsx'
import { CopyButton } from '../../components/copy/copy-button.tsx'
import { guideAddress } from './guide-pages.ts'
import type { GuidePage } from './read-guide.ts'
import '../../components/content-viewer/content-viewer.css'
import './guide.css'

/** How much of its code names a Copy button. */
const NAME_MAX = 40
/** The size of every picture, so that the text does not move as they load; `e2e/guide-pictures.ts` takes them so. */
const SIZE = { width: 1280, height: 760 }

export const GuideText = memo(({ page }: { page: GuidePage }) => (
  <div className="rich-text guide-text">
    {toJsxRuntime(page.root, { Fragment, jsx, jsxs, components: COMPONENTS })}
  </div>
))

const COMPONENTS = {
  h1: (props: ComponentProps<'h2'>) => <h2 {...props} />,
  h2: ({ id = '', children }: ComponentProps<'h3'>) => (
    <h3 id={id} tabIndex={-1}>
      <a href={`#${id}`}>{children}</a>
    </h3>
  ),
  h3: ({ id = '', children }: ComponentProps<'h4'>) => (
    <h4 id={id} tabIndex={-1}>
      <a href={`#${id}`}>{children}</a>
    </h4>
  ),
  a: GuideLink,
  img: Picture,
  pre: Fence,
  table: ({ 'aria-label': name, ...props }: ComponentProps<'table'>) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
    <section aria-label={name} tabIndex={0} className="overflow-x-auto">
      <table {...props} />
    </section>
  ),
}

/** What is not shown is not fetched. */
function Picture({ src, alt = '', 'data-dark': dark }: ComponentProps<'img'> & { 'data-dark'?: string }) {
  const shared = { ...SIZE, loading: 'lazy' } as const
  return (
    <>
      <img {...shared} src={src} alt={alt} className="dark:hidden" />
      <img {...shared} src={dark} alt={alt} className="not-dark:hidden" />
    </>
  )
}

function GuideLink({ href = '', ...props }: ComponentProps<'a'>) {
  const address = guideAddress(href)
  if (address !== null) return <Link href={address} {...props} />
  if (href.startsWith('#')) return <a href={href} {...props} />
  return <a href={href} target="_blank" rel="noopener noreferrer" {...props} />
}

function Fence({ children, ...props }: ComponentProps<'pre'>) {
  const code = isValidElement<ComponentProps<'code'>>(children) ? children.props : null
  if (typeof code?.children !== 'string') return <pre {...props}>{children}</pre>
  const text = code.children.replace(/\n$/, '')
  const language = /language-(\S+)/.exec(code.className ?? '')?.[1]
  return (
    <div className="relative">
      <CodeView
        code={text}
        language={language === 'sh' ? 'bash' : (language ?? null)}
        isWriting={false}
        isBlock
      />
      <CopyButton
        text={text}
        label={`Copy: ${text.slice(0, NAME_MAX)}`}
        className="absolute top-1.5 right-1.5 bg-inset"
      />
    </div>
  )
}
