'use client';
/**
 * <RopewalkFigure> for React: <ropewalk-figure> with settings as an object and events as callbacks. A
 * server renders the element with a link and a still in it; the browser loads the figure.
 */
import { createElement, forwardRef, useEffect, useImperativeHandle, useRef } from 'react';

/** @param {string | number | boolean} value */
const word = (value) => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value));

/** The link and the still that show until the figure draws, and where scripts do not run. */
function fallback({ site, name, lang, title }) {
  const home = site.replace(/\/*$/, '/');
  const isChinese = lang?.toLowerCase().startsWith('zh');
  const src = `${home}stills/${name}_${isChinese ? 'zh' : 'en'}.webp`;
  const href = `${home}${isChinese ? 'zh/' : ''}figure/${name}/`;
  return [
    createElement('a', { key: 'link', href }, title ?? name),
    createElement('img', { key: 'still', src, alt: '', width: '100%', loading: 'lazy' }),
  ];
}

/** Calls `listener` with what `read` takes from each event of a figure. */
function useEvent(element, type, listener, read) {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => {
    const figure = element.current;
    const call = (event) => latest.current?.(read(event));
    figure.addEventListener(type, call);
    return () => figure.removeEventListener(type, call);
  }, []);
}

const detailOf = ({ detail }) => detail;
const errorOf = ({ error }) => error;

export const RopewalkFigure = forwardRef(function RopewalkFigure(props, ref) {
  const {
    settings = {},
    site,
    title,
    children,
    fit,
    onChange,
    onDraw,
    onError,
    style,
    ...attributes
  } = props;
  const element = useRef(null);
  useImperativeHandle(ref, () => element.current);
  useEvent(element, 'change', onChange, detailOf);
  useEvent(element, 'draw', onDraw, detailOf);
  useEvent(element, 'error', onError, errorOf);
  useEffect(() => {
    void import('ropewalk/elements');
  }, []);
  const words = Object.entries(settings).map(([key, value]) => [key, word(value)]);
  const all = { ...Object.fromEntries(words), ...attributes, ...(fit ? { fit: '' } : {}) };
  const { name, lang, height } = attributes;
  // The server's page keeps the place too, before any script runs.
  const place = height ? { display: 'block', minHeight: Number(height) } : {};
  all.style = { ...place, ...style };
  const content = children ?? (site ? fallback({ site, name, lang, title }) : undefined);
  return createElement('ropewalk-figure', { ...all, ref: element }, content);
});
