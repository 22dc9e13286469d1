import { createContext, type ReactNode } from 'react'

/** The frame's menu button, which a page's header shows on phones. */
export const FrameMenuContext = createContext<ReactNode>(null)
/** What the frame has to say below the header of each page. */
export const FrameStripContext = createContext<ReactNode>(null)
