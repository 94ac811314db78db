import math

def bucket(distance, buckets=32, max_distance=128):
    """In a decoder: distance = query - key, from 0."""
    exact = buckets // 2
    if distance < exact:
        return distance
    steps = math.log(distance / exact) / math.log(max_distance / exact)
    return min(buckets - 1, exact + int(steps * (buckets - exact)))

print(*[bucket(d) for d in (0, 7, 15, 16, 20, 64, 112, 113, 1000)])
# 0 7 15 16 17 26 30 31 31
