/* Faces by cascades of simple features (Viola and Jones, 2001), people by histograms of oriented gradients
** (Dalal and Triggs, 2005), both by OpenCV.  No exception leaves these functions. */
#include "drivers/cameras/finders/opencv/opencv.h"

#include <cmath>
#include <cstdio>
#include <memory>

#include <opencv2/objdetect.hpp>

/* What finds boxes. */
struct Finder {
  virtual ~Finder() = default;
  virtual int find(const cv::Mat &gray, brio_opencv_box *out, int most) = 0;
};

/* Faces: as many neighboring windows agree, as sure it is. */
struct Cascade : Finder {
  cv::CascadeClassifier classifier;

  int find(const cv::Mat &gray, brio_opencv_box *out, int most) override {
    std::vector<cv::Rect> boxes;
    std::vector<int> votes;
    int least = std::max(24, gray.rows / 12);
    classifier.detectMultiScale(gray, boxes, votes, 1.1, 4, 0, cv::Size(least, least));
    int count = 0;
    for (size_t i = 0; i < boxes.size() && count < most; i++) {
      const cv::Rect &b = boxes[i];
      out[count++] = {double(b.x), double(b.y), double(b.width), double(b.height),
                      1 - std::exp(-votes[i] / 8.0)};
    }
    return count;
  }
};

/* People: the weight of the classifier says how sure. */
struct People : Finder {
  cv::HOGDescriptor hog;

  int find(const cv::Mat &gray, brio_opencv_box *out, int most) override {
    std::vector<cv::Rect> boxes;
    std::vector<double> weights;
    hog.detectMultiScale(gray, boxes, weights, 0.2, cv::Size(8, 8), cv::Size(), 1.05, 2, false);
    int count = 0;
    for (size_t i = 0; i < boxes.size() && count < most; i++) {
      const cv::Rect &b = boxes[i];
      double sure = i < weights.size() ? weights[i] : 0;
      out[count++] = {double(b.x), double(b.y), double(b.width), double(b.height), 1 - std::exp(-2 * sure)};
    }
    return count;
  }
};

static Finder *make_cascade(const char *file, char *why, size_t room) {
  auto finder = std::make_unique<Cascade>();
  if (finder->classifier.load(file)) return finder.release();
  std::snprintf(why, room, "%s is no cascade that OpenCV reads", file);
  return nullptr;
}

static Finder *make_people(const char *, char *, size_t) {
  auto finder = std::make_unique<People>();
  finder->hog.setSVMDetector(cv::HOGDescriptor::getDefaultPeopleDetector());
  return finder.release();
}

/* Run `make`; an exception is a reason. */
static void *guard(Finder *(*make)(const char *, char *, size_t), const char *file, char *why, size_t room) {
  try {
    cv::setNumThreads(1);
    return make(file, why, room);
  } catch (const std::exception &e) {
    std::snprintf(why, room, "%s", e.what());
    return nullptr;
  }
}

static void *open_cascade(const char *file, char *why, size_t room) {
  return guard(make_cascade, file, why, room);
}

static void *open_people(char *why, size_t room) { return guard(make_people, "", why, room); }

static int find(void *finder, const uint8_t *gray, int width, int height, brio_opencv_box *out, int most) {
  try {
    const cv::Mat picture(height, width, CV_8UC1, const_cast<uint8_t *>(gray));
    return static_cast<Finder *>(finder)->find(picture, out, most);
  } catch (const std::exception &) { return -1; }
}

static void close_finder(void *finder) {
  delete static_cast<Finder *>(finder);
}

const brio_opencv_library brio_opencv = {BRIO_OPENCV_VERSION, open_cascade, open_people, find, close_finder};
