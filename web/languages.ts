/** The two languages of the page; the language is the document's, never a setting. */
export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];

/** The same words in every language. */
export type Words = Record<Language, string>;

/** The hues that carry meaning; each is a CSS custom property `--query`, … in both themes. */
export type Hue = 'query' | 'key' | 'value' | 'position';
