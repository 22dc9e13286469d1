import { ArrowLeftIcon, ArrowRightIcon, ChevronDownIcon, FileQuestionIcon, SearchXIcon } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useLocationProperty } from 'wouter/use-browser-location'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { Button } from '../../components/ui/button.tsx'
import { useAddress } from '../../lib/address.ts'
import { useDocumentTitle } from '../../lib/document-title.ts'
import { cn } from '../../lib/utils.ts'
import { GUIDE, type PlacedPage } from './guide-pages.ts'
import { GuideText } from './guide-text.tsx'
import { type GuideHit, searchGuide } from './search-guide.ts'

export function GuideView({ name }: { name: string }) {
  const [params, change] = useAddress()
  const search = params.get('search') ?? ''
  const hits = useMemo(() => searchGuide({ pages: GUIDE, search }), [search])
  const index = GUIDE.findIndex((page) => page.name === name)
  const page = GUIDE[index]
  useDocumentTitle(page && name !== '' ? `${page.title} – Guide` : 'Guide')
  const onSearch = (text: string) => change({ search: text }, { replace: search !== '' })
  return (
    <>
      <PageHeader
        title="Guide"
        search={
          <SearchInput
            aria-label="Search the guide"
            placeholder="Search the guide"
            value={search}
            onSearch={onSearch}
          />
        }
      />
      <div key={`${name} ${search !== ''}`} className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex max-w-[1060px] gap-10 px-6 pt-6 pb-16 max-lg:flex-col max-lg:gap-4 max-md:px-4 max-md:pt-3">
          <Contents current={name} />
          <div className="min-w-0 max-w-[720px] flex-1">
            {search.trim() !== '' && <GuideHits search={search} hits={hits} onClear={() => onSearch('')} />}
            {search.trim() === '' && page && <Reading page={page} index={index} />}
            {search.trim() === '' && !page && <NoSuchPage name={name} />}
          </div>
        </div>
      </div>
    </>
  )
}

function Reading({ page, index }: { page: PlacedPage; index: number }) {
  const article = useRef<HTMLElement>(null)
  useAnchor(article)
  return (
    <article ref={article}>
      <GuideText page={page} />
      <nav aria-label="Next pages" className="mt-12 flex justify-between gap-3 border-t border-line pt-4">
        <Neighbour page={GUIDE[index - 1]} />
        <Neighbour page={GUIDE[index + 1]} isNext />
      </nav>
    </article>
  )
}

function useAnchor(article: RefObject<HTMLElement | null>): void {
  const hash = useLocationProperty(() => window.location.hash)
  useEffect(() => {
    if (hash === '') return
    const heading = article.current?.querySelector<HTMLElement>(
      `#${CSS.escape(decodeURIComponent(hash.slice(1)))}`,
    )
    heading?.scrollIntoView()
    heading?.focus({ preventScroll: true })
  }, [article, hash])
}

function Neighbour({ page, isNext = false }: { page: PlacedPage | undefined; isNext?: boolean }) {
  if (!page) return <span />
  return (
    <Button variant="ghost" asChild>
      <Link href={addressOf(page)}>
        {!isNext && <ArrowLeftIcon />}
        <span className="sr-only">{isNext ? 'Next: ' : 'Previous: '}</span>
        {page.title}
        {isNext && <ArrowRightIcon />}
      </Link>
    </Button>
  )
}

function addressOf({ name }: PlacedPage): string {
  return name === '' ? '/docs' : `/docs/${name}`
}

function Contents({ current }: { current: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const groups = [...new Set(GUIDE.map(({ group }) => group))]
  return (
    <nav aria-label="Pages of the guide" className="shrink-0 lg:w-56">
      <Button
        variant="secondary"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="w-full justify-between lg:hidden"
      >
        Pages of the guide
        <ChevronDownIcon className={cn(isOpen && 'rotate-180')} />
      </Button>
      <div className={cn('gap-4 lg:sticky lg:top-6 lg:grid', isOpen ? 'mt-3 grid' : 'max-lg:hidden')}>
        {groups.map((group) => (
          <div key={group}>
            {group !== '' && <h2 className="mb-1 px-2 text-xs font-medium text-text-3">{group}</h2>}
            <ul className="grid gap-0.5">
              {GUIDE.filter((page) => page.group === group).map((page) => (
                <li key={page.name}>
                  <Link
                    href={addressOf(page)}
                    aria-current={page.name === current ? 'page' : undefined}
                    className={cn(
                      'block rounded-control px-2 py-1 text-sm text-text-2 hover:bg-hover hover:text-text pointer-coarse:py-2.5',
                      page.name === current && 'bg-accent-soft font-medium text-accent-text',
                    )}
                  >
                    {page.title}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  )
}

function NoSuchPage({ name }: { name: string }) {
  return (
    <EmptyState
      icon={<FileQuestionIcon />}
      title="No such page"
      about="guide"
      description={`The guide has no page ‘${name}’. Search the guide, or start at the beginning.`}
      action={
        <Button variant="secondary" asChild>
          <Link href="/docs">Go to the guide</Link>
        </Button>
      }
    />
  )
}

interface GuideHitsProps {
  search: string
  hits: readonly GuideHit[]
  onClear: () => void
}

function GuideHits({ search, hits, onClear }: GuideHitsProps) {
  if (hits.length === 0)
    return (
      <EmptyState
        icon={<SearchXIcon />}
        title="Nothing found"
        about="guide"
        description={`Nothing in the guide matches ‘${search}’. Try fewer or different words.`}
        action={
          <Button variant="secondary" onClick={onClear}>
            Clear search
          </Button>
        }
      />
    )
  return (
    <section aria-label="Search results">
      <p role="status" className="mb-2 text-sm text-text-3">
        {hits.length === 1 ? '1 part' : `${hits.length} parts`} of the guide
      </p>
      <ul className="grid gap-1">
        {hits.map(({ page, pageTitle, anchor, title, sentence }) => (
          <li key={`${page}#${anchor}`}>
            <Link
              href={`/docs${page === '' ? '' : `/${page}`}${anchor === '' ? '' : `#${anchor}`}`}
              className="-mx-3 block rounded-card px-3 py-2.5 hover:bg-hover"
            >
              <span className="font-medium text-accent-text">{title}</span>
              {title !== pageTitle && <span className="text-sm text-text-3"> · {pageTitle}</span>}
              <span className="block text-sm text-text-2 wrap-anywhere">
                {sentence.map(({ text, isFound }, index) =>
                  isFound ? (
                    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text
                    <mark key={index} className="rounded-[3px] bg-warn-soft text-text">
                      {text}
                    </mark>
                  ) : (
                    text
                  ),
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
