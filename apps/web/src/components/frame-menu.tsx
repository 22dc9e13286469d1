import { type ComponentType, createContext, type ReactNode, useContext } from 'react'

export const FrameMenuContext = createContext<ReactNode>(null)
export const FrameStripContext = createContext<ReactNode>(null)

export interface PageSkeletonProps {
  /** Where more is known than what kind of page it is. */
  title?: string | undefined
  /** What is said in place of the page. */
  children?: ReactNode
}

export const PageSkeletonContext = createContext<ComponentType<PageSkeletonProps> | null>(null)

/** The title of the page at this address, above where its content will be. The landing page has none. */
export function PageSkeleton(props: PageSkeletonProps) {
  const Shown = useContext(PageSkeletonContext)
  return Shown ? <Shown {...props} /> : props.children
}
